#!/bin/sh
# names.sh NM LIBRARY OUT: other names for all that LIBRARY defines in the name of a sanitizer, as lines
# "NAME simtNAME" in OUT (for objcopy) and as macros in OUT.h.
"$1" --defined-only "$2" |
  awk '$2 == "T" && $3 ~ /^__(tsan|ubsan|sanitizer)_/ { print $3, "simt" $3 }' >"$3"
[ -s "$3" ] || { echo "names.sh: $2 defines none of them" >&2; exit 1; }
sed 's,^,#define ,' "$3" >"$3.h"
