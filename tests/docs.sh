#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The manual pages name every option and setting and every action of the screen, and groff has nothing to say
# about them. The pictures in the README are those that the screen tests see. Runs in the build folder. TAP.

set -u
tests=${TESTS_DIR:-$(dirname "$0")}
count=0

# check NAME STATUS
check() {
	count=$((count + 1))
	if [ "$2" = 0 ]; then
		echo "ok $count - $1"
	else
		echo "not ok $count - $1"
	fi
}

# names PAGE WORD: the page has it as a word.
names() {
	sed 's/\\-/-/g; s/\\f[A-Z]/ /g' "$1" | grep -qE -e "(^|[^a-z-])$2([^a-z_-]|\$)"
	check "$1 names $2" $?
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
	check "$page has nothing left to be filled in" $?
	if ! command -v groff >/dev/null; then
		check "$page is without warnings # SKIP there is no groff" 0
		continue
	fi
	said=$(groff -man -Tutf8 -ww -K utf8 -z "$page" 2>&1)
	[ -z "$said" ] || printf '%s\n' "$said" | sed 's/^/# /'
	test -z "$said"
	check "$page is without warnings" $?
done

sh "$tests/readme-pictures.sh" "$tests" | cmp - "$tests/../README.md" 2>&1 | sed 's/^/# /' >pictures.out
cat pictures.out
test ! -s pictures.out
check "README has the pictures of the tests (make readme-pictures)" $?
rm -f pictures.out
echo "1..$count"
