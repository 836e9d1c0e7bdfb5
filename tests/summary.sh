#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Sums up what `make check` left in the build folder $1: every test that did not pass, with what it
# said, then one closing line. Exit status 1 if any failed or none ran.

set -eu
cd "$1"

# A .trs file holds one line a test; the .log beside it holds what the test said.
find tests -name '*.trs' | sort | while read -r trs; do
	grep -Eq '^:test-result: (FAIL|ERROR|XPASS)' "$trs" || continue
	echo "== ${trs%.trs}"
	awk '/^(PASS|FAIL|SKIP): /{ next }
		/^(ok|not ok) /{ show = /^not ok/ }
		show || /ERROR|runtime error/' "${trs%.trs}.log" | head -n 200
done

find tests -name '*.trs' -exec cat {} + | awk '
	/^:test-result: (PASS|XFAIL)/ { passed++ }
	/^:test-result: (FAIL|ERROR|XPASS)/ { failed++ }
	/^:test-result: SKIP/ { skipped++ }
	END {
		if (skipped)
			printf "%d skipped\n", skipped
		printf "%d passed, %d failed\n", passed, failed
		exit failed || !passed
	}'
