# SPDX-License-Identifier: Apache-2.0
# The Test Anything Protocol, for tests that are scripts, read by them.

count=0

# tap STATUS NAME: one test; it passed where STATUS is 0. Fails where the test did.
tap() {
	count=$((count + 1))
	if [ "$1" = 0 ]; then
		echo "ok $count - $2"
	else
		echo "not ok $count - $2"
		return 1
	fi
}

# tap_shows [FILE...]: the beginning of what is in the files, or of standard input, as comments.
tap_shows() {
	head -c 10000 "$@" 2>/dev/null | tr -d '\000' | sed 's/^/# /'
}

# How many tests there were.
tap_ends() {
	echo "1..$count"
}
