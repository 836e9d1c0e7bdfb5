#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The man page names every option that --help does. TAP, one test an option.

set -u
man=${TESTS_DIR:-$(dirname "$0")}/../man/tfprof.1.in
count=0

for option in $("$TFPROF" --help | grep -oE -e '--[a-z_]+' | sort -u); do
	count=$((count + 1))
	found=$(sed 's/\\-/-/g' "$man" | grep -E "(^|[^a-z-])$option([^a-z_]|\$)")
	case $option in
	--min_*) found=$(sed 's/\\-/-/g' "$man" | grep -wF "${option#--min_}") ;;
	esac
	if [ -n "$found" ]; then
		echo "ok $count - $option"
	else
		echo "not ok $count - $option is not in the man page"
	fi
done
if [ "$count" = 0 ]; then
	echo "not ok 1 - --help lists options"
	count=1
fi
echo "1..$count"
