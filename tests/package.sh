#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# debian/control asks for the packages that debian-packages.txt lists, without those that every build of a
# package has. TAP.

set -u
tests=${TESTS_DIR:-$(dirname "$0")}
top=$tests/..
. "$tests/tap.sh"
always='gcc|libc6-dev|make'
listed=$(awk '/^\[/ { on = $0 == "[build]"; next } on && NF && !/^#/ { print $1 }' "$top/debian-packages.txt" |
	grep -vxE "$always" | sort)
asked=$(awk '/^[A-Z]/ { on = /^Build-Depends:/; next } on { print $1 }' "$top/debian/control" |
	tr -d , | grep -vx debhelper-compat | sort)
version=$(sed -n 's/^AC_INIT(\[tfprof\], \[\(.*\)\])$/\1/p' "$top/configure.ac")
packaged=$(sed -n '1s/^tfprof (\(.*\)) .*/\1/p' "$top/debian/changelog")

[ "$listed" = "$asked" ]
tap $? "Build-Depends is what debian-packages.txt lists"
[ "$version" = "$packaged" ]
tap $? "the package has the program's version" || echo "# $packaged, not $version"
tap_ends
