# SPDX-License-Identifier: Apache-2.0
# What tests share that press keys and look at the files which come of it, read by them in the folder of the tests: the
# players of keys and the program, wherever the test was called from, and a folder of its own.

screen=${SCREEN:-tests/screen/screen}
case $screen in
/*) ;;
*) screen=$OLDPWD/$screen ;;
esac
case ${TFPROF:=./tfprof} in
/*) ;;
*) TFPROF=$OLDPWD/$TFPROF ;;
esac
TESTS_DIR=$PWD
LC_ALL=C.UTF-8
export TFPROF TESTS_DIR LC_ALL
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
