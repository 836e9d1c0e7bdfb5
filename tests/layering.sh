#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The rooms keep to the rules of docs/architecture.md: who may include whom, who may print, who may end
# the program; and to the sizes of CONTRIBUTING.md. TAP, one test a rule.

set -u
cd "${TESTS_DIR:-$(dirname "$0")}/.." || exit 1
. tests/tap.sh

# rule NAME PATTERN FOLDER...: no line of the C files there, comments apart, may match.
rule() {
	name=$1 pattern=$2
	shift 2
	found=$(find "$@" -name '*.[ch]' -exec grep -nE "$pattern" /dev/null {} + 2>/dev/null |
		grep -vE '^[^:]*:[0-9]+:[ 	]*/?\*')
	[ -z "$found" ]
	tap $? "$name" || printf '%s\n' "$found" | tap_shows
}

# The public headers of the rooms: what is large has one of its own. What ui offers to app is no part of the
# library and lies in src/ui/ui.h.
headers() {
	for room; do
		case $room in
		base) echo base hash lookup near thread ;;
		codec) echo codec json ;;
		model) echo alloc model tensor trace ;;
		view) echo view query columns breakdown strips ;;
		*) echo "$room" ;;
		esac
	done
}

# may ROOM OTHER...: the room includes its own headers and the public ones of the others only.
may() {
	room=$1
	allowed=$(headers "$@" | tr ' \n' '||')
	public=$(headers "$room" | tr ' ' '\n' | sed 's|.*|include/tfprof/&.h|')
	# shellcheck disable=SC2086 # one word a header
	found=$(find "src/$room" $public -name '*.[ch]' -exec \
		grep -nE '^#[ 	]*include "' /dev/null {} + 2>/dev/null |
		grep -vE "\"(config\\.h|proto/[a-z_]+\\.pb-c\\.h|(tfprof|ui)/(${allowed%|})\\.h|$room/[a-z0-9_/]+\\.h)\"")
	[ -z "$found" ]
	tap $? "$room includes $* only" || printf '%s\n' "$found" | tap_shows
}

may base
may codec base
may model base
may load codec model base
may view model base
may report view model base
may ui report view model base
may app ui report view load codec model base

rule "readers of XPlanes and of Chrome traces share what is in load itself" \
	'^#[ 	]*include "load/xplane/' src/load/chrome
rule "and the other way round" '^#[ 	]*include "load/chrome/' src/load/xplane
rule "curses only in ui" '#[ 	]*include <(n?curses|ncursesw|term|panel|menu|form)' \
	src/base src/codec src/model src/load src/view src/report src/app include
rule "generated messages only in load and report" '#[ 	]*include .*pb-c\.h' \
	src/base src/codec src/model src/view src/ui src/app include
rule "no room but app ends the program" '(^|[^a-z_])_?exit *\(' \
	src/base src/codec src/model src/load src/view src/report src/ui
rule "no room but app prints" '(^|[^a-z_])(printf|puts|putchar|perror) *\(|[(, ](stderr|stdout)[,);]' \
	src/base src/codec src/model src/load src/view src/report src/ui

long=$(find src include tests tools -name '*.[ch]' -exec awk '
	FNR == 1 { start = 0 }
	FNR == 601 { print FILENAME ": more than 600 lines" }
	/^\{/ { start = FNR }
	/^\}/ && start {
		if (FNR - start > 61)
			print FILENAME ":" start ": a function of " FNR - start - 1 " lines"
		start = 0
	}' {} +)
[ -z "$long" ]
tap $? "functions of at most 60 lines, files of 600" || printf '%s\n' "$long" | tap_shows

unlisted=$(find src include -name '*.[ch]' | while read -r file; do
	grep -qF "$file" Makefile.am || echo "$file"
done)
[ -z "$unlisted" ]
tap $? "Makefile.am lists every file, so that a distribution has it" || printf '%s\n' "$unlisted" | tap_shows

tap_ends
