#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Saving settings and writing files where that fails: one clear line on the screen, and what was there
# before stays. Each case is a key script. TAP, one test a case.

set -u
screen=${SCREEN:-tests/screen/screen}
folder=$(mktemp -d) || exit 1
trap 'chmod -R u+w "$folder"; rm -rf "$folder"' EXIT
. "${TESTS_DIR:-$(dirname "$0")}/tap.sh"

# case_of NAME SCRIPT: plays the key script.
case_of() {
	printf '%s\nkeys Q\nexit 0\nrestored\n' "$2" >"$folder/case.keys"
	"$screen" "$folder/case.keys" >"$folder/log" 2>&1
	tap $? "$1" || tap_shows "$folder/log"
}

# holds NAME FILE TEXT: after a case, FILE is exactly TEXT.
holds() {
	[ "$(cat "$2")" = "$3" ]
	tap $? "$1" || tap_shows "$2"
}

# alone NAME FOLDER: nothing half written lies there.
alone() {
	! ls -A "$2" | grep -q '\.......$'
	tap $? "$1" || ls -A "$2" | tap_shows
}

# The script that changes OPTION, saves with the settings in FOLDER, and waits for TEXT.
save() {
	printf 'env XDG_CONFIG_HOME=%s\nrun --demo\nwait _TFProfRoot\nkeys o %s : s a v e <Enter>\nwait %s' \
		"$1" "$2" "$3"
}

own=$folder/own/tfprof
case_of 'settings are saved' "$(save "$folder/own" b '1 setting saved in')"
holds 'what was changed' "$own/saved.yaml" "$(sed -n '1,2p' "$own/saved.yaml")
bars: false"
before=$(cat "$own/saved.yaml")
case_of 'what the command line says is not saved' "env XDG_CONFIG_HOME=$folder/own
run --demo --columns=scope:total --theme=dark --step=2
wait _TFProfRoot
keys : s a v e <Enter>
wait nothing that is saved was changed on the screen"

case_of 'what is off is saved' "$(save "$folder/off" n '1 setting saved in')"
case_of 'and is off the next time' "env XDG_CONFIG_HOME=$folder/off
run --demo
wait _TFProfRoot
keys o n
wait ops that differ only in a number are one row"

case_of 'no folder for settings' "$(save /dev/null b 'cannot be saved: Not a directory')"
mkdir -p "$folder/taken/tfprof/saved.yaml"
case_of 'a folder has the name of the file' \
	"$(save "$folder/taken" b 'cannot be saved: is not a regular file')"
case_of 'no settings, no saving' "run --no-config --demo
wait _TFProfRoot
keys o b : s a v e <Enter>
wait settings cannot be saved with --config or --no-config"

# a full disk: no file can grow
program=$TFPROF
printf '#!/bin/sh\ntrap "" XFSZ\nulimit -f 0\nexec "%s" "$@"\n' "$program" >"$folder/full"
chmod +x "$folder/full"
export TFPROF="$folder/full"
case_of 'no room for settings' "$(save "$folder/own" u 'cannot be saved: File too large')"
mkdir "$folder/tables"
case_of 'no room for a table' "run --no-config --demo
wait _TFProfRoot
keys E w <Tab>
type $folder/tables/all.csv
keys <Enter>
wait File too large"
rmdir "$folder/tables"
tap $? "nothing is left of the table"
export TFPROF="$program"
holds 'saved settings are as they were' "$own/saved.yaml" "$before"
alone 'nothing half written beside them' "$own"

case_of 'no folder for a table' "run --no-config --demo
wait _TFProfRoot
keys w
type /dev/null/x.csv
keys <Enter>
wait can't be written"

printf 'colors: {nosuch: red}\ntext: [\n' >"$folder/broken.yaml"
case_of 'a theme with errors' "run --no-config --theme=$folder/broken.yaml --demo
wait _TFProfRoot
expect ! lists"
mkdir "$folder/config.yaml"
case_of 'settings that are a folder' "run --config=$folder/config.yaml --demo
wait _TFProfRoot
keys !
expect is a directory, not a file"

# a terminal that goes away while settings are being saved
printf 'env XDG_CONFIG_HOME=%s\nrun --demo\nwait _TFProfRoot\nkeys o u : s a v e <Enter>\nhangup\n' \
	"$folder/own" >"$folder/case.keys"
"$screen" "$folder/case.keys" >"$folder/log" 2>&1
after=$(cat "$own/saved.yaml")
[ "$after" = "$before" ] || [ "$after" = "$before
units: exact" ]
tap $? "the terminal is gone: the old settings or the new"
alone 'nothing half written after that' "$own"

# a reader that went away
"$TFPROF" scope --demo 2>"$folder/err" | head -1 >/dev/null
[ ! -s "$folder/err" ]
tap $? "standard output is closed" || tap_shows "$folder/err"
tap_ends
