#!/usr/bin/env bash
# Checks the rooms of the CPU backend (common/simt) against their drawing in docs/contribute/cpu_backend.md: who
# includes whom is drawn, what is drawn is so, no arrow leads back, and a room is entered by its own
# header, ROOM/ROOM.h, alone. One line a fault; 1 if there was any. rooms.sh FOLDER checks a copy.
set -euo pipefail
folder=${1:-$(dirname "${BASH_SOURCE[0]}")/../..}
[[ -f $folder/docs/contribute/cpu_backend.md ]] || { echo "rooms.sh: $folder is no checkout" >&2; exit 2; }
cd "$folder"
doc=docs/contribute/cpu_backend.md
faults=0

fault() {
  printf '%s\n' "$*"
  faults=$((faults + 1))
}

# shellcheck disable=SC2016
drawn=$(sed -n '/^```mermaid$/,/^```$/p' "$doc" | sed -nE 's/^ *([a-z]+) --> ([a-z]+)$/\1 \2/p' | sort -u)
[[ -n $drawn ]] || fault "$doc draws no rooms"

# "file:line:room:header" of each include; include/ and report.h are everybody's.
includes=$(grep -rnE '^ *#include "' common/simt/*/ --include='*.h' --include='*.cpp' |
  grep -v '^common/simt/include/' |
  sed -E 's,^(common/simt/([a-z]+)/[^:]*:[0-9]+): *#include "([^"]*)".*,\1|\2|\3,')
found=""
while IFS='|' read -r at room header; do
  [[ $header == common/* ]] || { fault "$at includes $header: say common/..."; continue; }
  path=${header#common/simt/}
  other=${path%%/*}
  if [[ $header != common/simt/* ]]; then
    [[ $room == harness || $room == explain ]] || fault "$at: the room $room uses the ladder's $header"
  elif [[ $path != report.h && $other != "$room" ]]; then
    [[ $path == "$other/$other.h" ]] || fault "$at enters the room $other by $header, not by $other/$other.h"
    grep -qx "$room $other" <<<"$drawn" || fault "$at: the arrow $room --> $other is not in $doc"
    found+="$room $other"$'\n'
  fi
done <<<"$includes"

while read -r room other; do
  grep -qx "$room $other" <<<"$found" || fault "$doc draws $room --> $other, but no file includes it"
done <<<"$drawn"
tsort <<<"$drawn" >/dev/null 2>&1 || fault "$doc: arrows lead in a circle"
for folder in common/simt/*/; do
  room=$(basename "$folder")
  case $room in include | explain | harness) continue ;; esac
  [[ -f $folder$room.h ]] || fault "the room $room has no $room.h that says what it offers"
  modules=$(find "$folder" -type f | sed 's/\.[a-z]*$//' | sort -u | wc -l)
  ((modules <= 12)) || fault "the room $room holds $modules modules, more than a dozen"
done
stray=$(find common/simt -maxdepth 1 -type f ! -name CMakeLists.txt ! -name report.h)
[[ -z $stray ]] || fault "outside of all rooms: $stray"
((faults == 0)) || { echo "rooms: $faults faults"; exit 1; }
echo "rooms: as drawn"
