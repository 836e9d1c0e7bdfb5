/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The small shell of a job: a process that leads the session, starts the program in the foreground, and takes
 * the terminal back while the program is stopped.
 */
#include "job.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_FDS = 64 };

static void change_environment(const char *const *changes)
{
	for (size_t i = 0; changes[i]; i++) {
		if (strchr(changes[i], '='))
			putenv(strdup(changes[i]));
		else
			unsetenv(changes[i]);
	}
}

/* What becomes of the two processes. */
struct plan {
	int tty, input, reports, orders;
	char *const *argv;
	const char *const *changes;
};

static void be_program(const struct plan *plan)
{
	setpgid(0, 0);
	tcsetpgrp(plan->tty, getpid());
	for (int number = 1; number < 32; number++)
		signal(number, SIG_DFL);
	for (int fd = 0; fd < 3; fd++)
		dup2(fd == 0 && plan->input >= 0 ? plan->input : plan->tty, fd);
	for (int fd = 3; fd < MAX_FDS; fd++)
		close(fd);
	change_environment(plan->changes);
	execv(plan->argv[0], plan->argv);
	_exit(127);
}

/* Tells of every change until the program ends; a stopped one waits for an order. */
static void watch(pid_t pid, const struct plan *plan)
{
	int status = 0;
	char order;

	while (waitpid(pid, &status, WUNTRACED | WCONTINUED) == pid &&
	       write(plan->reports, &status, sizeof(status)) == sizeof(status)) {
		if (WIFCONTINUED(status))
			continue;
		if (!WIFSTOPPED(status))
			return;
		tcsetpgrp(plan->tty, getpid());
		if (read(plan->orders, &order, 1) != 1)
			return;
		tcsetpgrp(plan->tty, pid);
		kill(-pid, SIGCONT);
	}
}

/* The shell ignores what a person types at the program. */
static void be_shell(const struct plan *plan)
{
	static const int ignored[] = {SIGHUP, SIGINT, SIGQUIT, SIGTSTP, SIGTTOU, SIGTTIN, SIGPIPE};
	pid_t pid;

	for (int fd = 3; fd < MAX_FDS; fd++) /* the other end of the terminal among them */
		if (fd != plan->tty && fd != plan->input && fd != plan->reports &&
		    fd != plan->orders)
			close(fd);
	setsid();
	ioctl(plan->tty, TIOCSCTTY, 0);
	for (size_t i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++)
		signal(ignored[i], SIG_IGN);
	pid = fork();
	if (pid == 0)
		be_program(plan);
	if (pid > 0) {
		setpgid(pid, pid);
		if (write(plan->reports, &pid, sizeof(pid)) == sizeof(pid))
			watch(pid, plan);
	}
	_exit(0);
}

bool job_start(struct job *job, int tty, int input, char *const *argv, const char *const *changes)
{
	int reports[2], orders[2];

	*job = (struct job){.status = -1, .reports = -1, .orders = -1};
	if (pipe2(reports, O_CLOEXEC) || pipe2(orders, O_CLOEXEC))
		return false;
	job->shell = fork();
	if (job->shell == 0) {
		be_shell(&(struct plan){tty, input, reports[1], orders[0], argv, changes});
	}
	close(reports[1]);
	close(orders[0]);
	job->reports = reports[0];
	job->orders = orders[1];
	return job->shell > 0 &&
	       read(job->reports, &job->pid, sizeof(job->pid)) == sizeof(job->pid);
}

void job_update(struct job *job)
{
	struct pollfd ready = {.fd = job->reports, .events = POLLIN};
	int status;

	while (job->pid && poll(&ready, 1, 0) > 0) {
		if (read(job->reports, &status, sizeof(status)) != sizeof(status)) {
			job->pid = 0;
			return;
		}
		job->stopped = WIFSTOPPED(status);
		if (job->stopped || WIFCONTINUED(status))
			continue;
		job->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
		job->pid = 0;
	}
}

void job_continue(struct job *job)
{
	struct pollfd ready = {.fd = job->reports, .events = POLLIN};

	job_update(job);
	if (!job->stopped || write(job->orders, "f", 1) != 1)
		return;
	while (job->pid && job->stopped && poll(&ready, 1, -1) > 0)
		job_update(job);
}

void job_end(struct job *job)
{
	job_update(job);
	if (job->pid > 0)
		kill(job->pid, SIGKILL);
	if (job->orders >= 0)
		close(job->orders);
	if (job->shell > 0)
		while (waitpid(job->shell, NULL, 0) < 0 && errno == EINTR)
			;
	if (job->reports >= 0)
		close(job->reports);
}
