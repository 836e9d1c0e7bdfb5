#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The program of `make static` where nothing is installed: in a root folder that holds it, one terminfo entry
# and the demo's profile. TFPROF_STATIC is the program, SCREEN the player of key scripts ("": none). TAP.

set -u
tests=${TESTS_DIR:-$(dirname "$0")}
. "$tests/tap.sh"
failed=0

check() {
	tap "$2" "$1" || failed=1
}

root=$(mktemp -d) || exit 1
trap 'rm -rf "$root"' EXIT
if ! unshare -r chroot / true 2>/dev/null; then
	echo "1..0 # SKIP no other root folder is allowed here (unshare -r chroot)"
	exit 0
fi

ldd "$TFPROF_STATIC" >/dev/null 2>&1 && linked=1 || linked=0
check "the program needs no shared library" "$linked"
cp "$TFPROF_STATIC" "$root/tfprof"
mkdir -p "$root/usr/share/terminfo/x" "$root/tmp" "$root/dev"
# The scripts keep their state in /dev/null, which is no folder: none remembers the one before.
: >"$root/dev/null"
for folder in /etc/terminfo /lib/terminfo /usr/share/terminfo; do
	[ ! -e "$folder/x/xterm-256color" ] || cp -L "$folder/x/xterm-256color" "$root/usr/share/terminfo/x/"
done
cp -r "$tests/../data/demo" "$root/demo"

inside() {
	unshare -r chroot "$root" /tfprof "$@"
}

(cd "$tests/../data" && "$TFPROF_STATIC" op --select=micros,occurrence demo/graph.pb.gz demo/run_meta_0.pb.gz) >"$root/outside.txt"
inside op --select=micros,occurrence /demo/graph.pb.gz /demo/run_meta_0.pb.gz >"$root/inside.txt"
check "a report is printed" $?
cmp -s "$root/outside.txt" "$root/inside.txt"
check "it is the same as outside" $?

# The player starts TFPROF with the environment of a terminal; the locale is one that is not there.
cat >"$root/start" <<END
#!/bin/sh
TFPROF_DATADIR=/ LC_ALL=en_US.UTF-8 exec unshare -r chroot '$root' /tfprof "\$@"
END
chmod +x "$root/start"
for script in job1 job4; do
	[ -n "${SCREEN-}" ] || break
	TFPROF=$root/start TESTS_DIR=$tests timeout 120 "$SCREEN" "$tests/screen/$script.keys" >"$root/said" 2>&1
	status=$?
	[ "$status" = 0 ] || grep -v '^ok' "$root/said" | head -n 40 | sed 's/^/# /'
	check "the screen does $script.keys" "$status"
done
[ -z "$(ls "$root/tmp")" ]
check "nothing is left behind" $?
tap_ends
exit "$failed"
