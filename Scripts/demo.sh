#!/usr/bin/env bash
# Creates a store with a picture, a rect, a keyed archive, and a sealed text, shows the content of the file, reads
# everything back, and compares it. Usage: demo.sh path/to/transformable [folder]
set -euo pipefail

transformable=$(realpath "$1")
folder=${2:-$(dirname "$0")/../.build/demo}
secret='123-45-6789'

rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
unset TRANSFORMABLE_KEY_FILE

if [ -t 1 ]; then bold=$'\e[1m' dim=$'\e[2m' plain=$'\e[0m'; else bold='' dim='' plain=''; fi

heading() { printf '\n%s%s%s\n' "$bold" "$1" "$plain"; }

# Prints a command as you would type it, and runs it.
run() {
    local line='' word
    for word in "$@"; do
        case $word in
            *\'*) line+=" \"$word\"" ;;
            *[!A-Za-z0-9_./=@:-]*) line+=" '$word'" ;;
            *) line+=" $word" ;;
        esac
    done
    printf '%s$%s%s\n' "$dim" "$line" "$plain"
    case $1 in
        transformable) shift; "$transformable" "$@" ;;
        *) "$@" ;;
    esac
}

failures=0
check() {
    if "${@:2}" >/dev/null 2>&1; then
        printf '  ok     %s\n' "$1"
    else
        printf '  WRONG  %s\n' "$1"
        failures=$((failures + 1))
    fi
}

# A 320-by-200 picture of a sun over a hill. No sample is 0, because some versions of awk cannot print it.
picture() {
    printf 'P7\nWIDTH 320\nHEIGHT 200\nDEPTH 3\nMAXVAL 255\nTUPLTYPE RGB\nENDHDR\n'
    LC_ALL=C awk 'BEGIN {
        for (y = 0; y < 200; y++) for (x = 0; x < 320; x++) {
            hill = 140 + 25 * sin(x / 45)
            sun = (x - 230) ^ 2 + (y - 60) ^ 2 < 900
            if (y > hill) printf "%c%c%c", 40 + (y - hill) / 3, 120 + (200 - y) / 2, 60
            else if (sun) printf "%c%c%c", 250, 210, 70
            else printf "%c%c%c", 90 + y / 2, 150 + y / 3, 230
        }
    }'
}

picture > portrait.pam
printf '{"color": "green", "reminders": [7, 21], "unit": {"beds": 12, "name": "North"}}' > settings.json
printf '%s' "$secret" > ssn.txt
cat > clinic.json << 'MODEL'
{ "transformableModel": 1, "version": 1, "entities": [
  { "name": "Patient", "attributes": [
    { "name": "name",     "type": "string" },
    { "name": "bed",      "transformer": "rect" },
    { "name": "portrait", "transformer": "png" },
    { "name": "settings", "transformer": "keyed-archive" },
    { "name": "ssn",      "transformer": "text | sealed" } ] } ] }
MODEL

heading 'A model: each attribute names the transformer that stores it'
cat clinic.json

heading 'A key, a store, and one object: a picture, a rect, a keyed archive, and a secret'
run transformable keys new clinic.keys
run transformable store create clinic.sqlite --model clinic.json --key-file clinic.keys
run transformable store insert clinic.sqlite Patient name=Ada 'bed={{0, 0}, {2, 1}}' portrait=@portrait.pam \
    settings=@settings.json ssn=@ssn.txt --key-file clinic.keys

heading 'What any SQLite shell sees in the file'
run sqlite3 -header -column clinic.sqlite \
    'SELECT name, bed, length(portrait), substr(settings, 1, 8), length(ssn), hex(substr(ssn, 1, 8)) FROM Patient'
run sqlite3 clinic.sqlite \
    "SELECT writefile('cell.png', portrait), writefile('cell.plist', settings), writefile('cell.bin', ssn) FROM Patient"

heading 'The cells are files in their own formats, and the secret is a sealed value'
for cell in cell.png cell.plist cell.bin; do
    run transformable inspect "$cell" | sed -n 1,5p
done

heading 'Read back, without the key and with it'
run transformable store show clinic.sqlite Patient
run transformable store show clinic.sqlite Patient --key-file clinic.keys
"$transformable" store get clinic.sqlite Patient 1 portrait --out again.pam
"$transformable" store get clinic.sqlite Patient 1 settings --out again.json
sealed=$("$transformable" store get clinic.sqlite Patient 1 ssn --key-file clinic.keys)
bed=$("$transformable" store get clinic.sqlite Patient 1 bed)
"$transformable" encode keyed-archive --in settings.json --out settings.plist
"$transformable" encode keyed-archive --in again.json --out again.plist

heading 'Compared'
check 'the picture is the same in every pixel' cmp portrait.pam again.pam
check 'the rect is the same' test "$bed" = '{{0, 0}, {2, 1}}'
check 'the keyed archive contains the same settings' cmp settings.plist again.plist
check 'the secret opens with its key' test "$sealed" = "$secret"
check 'the secret is nowhere in the store'"'"'s files' sh -c "! grep -aq -- '$secret' clinic.sqlite*"
check 'without the key it does not open' sh -c "! '$transformable' store get clinic.sqlite Patient 1 ssn"

if [ "$failures" -gt 0 ]; then
    printf '\n%s%d of 6 comparisons failed.%s\n' "$bold" "$failures" "$plain"
    exit 1
fi
printf '\n%sAll values were read back unchanged.%s The files are in %s\n' "$bold" "$plain" "$(pwd)"
