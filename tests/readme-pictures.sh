#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The README with its pictures as the screen tests saw them last, to standard output. $1 is the folder of
# the tests. A picture stands between ``` behind the line <!-- picture NAME --> of the README.

set -u
awk -v pictures="$1/screen/pictures" '
	/^<!-- picture .* -->$/ {
		print
		print "```text"
		while ((getline line <(pictures "/" $3 ".txt")) > 0)
			print line
		print "```"
		fences = 2
		next
	}
	fences && /^```/ { fences--; next }
	!fences
' "$1/../README.md"
