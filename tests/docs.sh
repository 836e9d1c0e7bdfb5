#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The manual pages name every option and setting and every action of the screen, and groff has nothing to say
# about them. The pictures in the README are those that the screen tests see. Runs in the build folder. TAP.

set -u
tests=${TESTS_DIR:-$(dirname "$0")}
. "$tests/tap.sh"

# names PAGE WORD: the page has it as a word.
names() {
	sed 's/\\-/-/g; s/\\f[A-Z]/ /g' "$1" | grep -qE -e "(^|[^a-z-])$2([^a-z_-]|\$)"
	tap $? "$1 names $2"
}

for option in $("$TFPROF" --help | grep -oE -e '--[a-z_-]+' | grep -vx -e --name | sort -u); do
	names man/tfprof.1 "$option"
done
for setting in $("$TFPROF" --no-config --print-config | sed -n 's/^#\{0,1\}\([a-z-]*\):.*/\1/p'); do
	names man/tfprof-config.5 "$setting"
done
for action in $(sed -n '/tfp_actions\[\] =/,/^};/s/^	{"\([a-z0-9-]*\)", .*/\1/p' "$tests/../src/ui/action/actions.c"); do
	names man/tfprof.1 ":$action"
done

for page in man/tfprof.1 man/tfprof-config.5; do
	! grep -q '@[A-Za-z]*@' "$page"
	tap $? "$page has nothing left to be filled in"
	if ! command -v groff >/dev/null; then
		tap 0 "$page is without warnings # SKIP there is no groff"
		continue
	fi
	said=$(groff -man -Tutf8 -ww -K utf8 -z "$page" 2>&1)
	[ -z "$said" ]
	tap $? "$page is without warnings" || printf '%s\n' "$said" | tap_shows
done

said=$(sh "$tests/readme-pictures.sh" "$tests" | cmp - "$tests/../README.md" 2>&1)
tap $? "README has the pictures of the tests (make readme-pictures)" || printf '%s\n' "$said" | tap_shows
tap_ends
