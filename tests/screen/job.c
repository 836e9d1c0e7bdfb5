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

static void be_program(int tty, char *const *argv, const char *const *changes)
{
	setpgid(0, 0);
	tcsetpgrp(tty, getpid());
	for (int number = 1; number < 32; number++)
		signal(number, SIG_DFL);
	for (int fd = 0; fd < 3; fd++)
		dup2(tty, fd);
	close(tty);
	change_environment(changes);
	execv(argv[0], argv);
	_exit(127);
}

/* Tells of every change until the program ends; a stopped one waits for an order. */
static void watch(pid_t pid, int tty, int reports, int orders)
{
	int status = 0;
	char order;

	while (waitpid(pid, &status, WUNTRACED) == pid &&
	       write(reports, &status, sizeof(status)) == sizeof(status) && WIFSTOPPED(status)) {
		tcsetpgrp(tty, getpid());
		if (read(orders, &order, 1) != 1)
			return;
		tcsetpgrp(tty, pid);
		kill(-pid, SIGCONT);
	}
}

/* The shell ignores what a person types at the program. */
static void be_shell(int tty, char *const *argv, const char *const *changes, int reports,
		     int orders)
{
	static const int ignored[] = {SIGHUP, SIGINT, SIGQUIT, SIGTSTP, SIGTTOU, SIGTTIN, SIGPIPE};
	pid_t pid;

	for (int fd = 3; fd < MAX_FDS; fd++) /* the other end of the terminal among them */
		if (fd != tty && fd != reports && fd != orders)
			close(fd);
	setsid();
	ioctl(tty, TIOCSCTTY, 0);
	for (size_t i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++)
		signal(ignored[i], SIG_IGN);
	pid = fork();
	if (pid == 0)
		be_program(tty, argv, changes);
	if (pid > 0) {
		setpgid(pid, pid);
		if (write(reports, &pid, sizeof(pid)) == sizeof(pid))
			watch(pid, tty, reports, orders);
	}
	_exit(0);
}

bool job_start(struct job *job, int tty, char *const *argv, const char *const *changes)
{
	int reports[2], orders[2];

	*job = (struct job){.status = -1, .reports = -1, .orders = -1};
	if (pipe2(reports, O_CLOEXEC) || pipe2(orders, O_CLOEXEC))
		return false;
	job->shell = fork();
	if (job->shell == 0) {
		close(orders[1]);
		be_shell(tty, argv, changes, reports[1], orders[0]);
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
		if (read(job->reports, &status, sizeof(status)) != sizeof(status))
			return;
		job->stopped = WIFSTOPPED(status);
		if (job->stopped)
			continue;
		job->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
		job->pid = 0;
	}
}

void job_continue(struct job *job)
{
	job_update(job);
	if (job->stopped && write(job->orders, "f", 1) == 1)
		job->stopped = false;
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
