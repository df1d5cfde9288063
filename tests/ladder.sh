#!/usr/bin/env bash
# Tests of ./ladder itself, in a copy of the tree where cmake, nvcc and nvidia-smi are stand-ins: its
# words, its exit codes, its tables and the file that bench writes. Prints one line a fault.
set -euo pipefail
source_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/bin" "$work/tree/common" "$work/tree/docs"
cp -r "$source_root"/ladder "$source_root"/[0-9][0-9]_* "$work/tree"
cp -r "$source_root/common/ladder" "$work/tree/common"
faults=0

stand_in() {  # stand_in NAME: a program from stdin, first on the PATH
  cat >"$work/bin/$1"
  chmod +x "$work/bin/$1"
}

stand_in nvidia-smi <<'TEXT'
#!/usr/bin/env bash
case "$*" in
  -L) [[ -z ${NO_GPU:-} ]] && echo "GPU 0: NVIDIA Test" && echo "GPU 1: NVIDIA Test" ;;
  *query-gpu=name*) echo "NVIDIA GeForce RTX 1" ;;
  *clocks*) echo 1000 ;;
  *) echo 580.1 ;;
esac
TEXT
stand_in nvcc <<'TEXT'
#!/usr/bin/env bash
echo "release 13.0, V13.0.88"
TEXT
# cmake "builds" every program into one that tells what it was given. 01 is wrong when WRONG is set.
stand_in cmake <<'TEXT'
#!/usr/bin/env bash
[[ $1 == --version ]] && echo "cmake version 3.25.1" && exit
[[ $1 == --preset ]] && mkdir -p "build/$2" && touch "build/$2/CMakeCache.txt" && exit
for file in [0-9][0-9]_*/gemm.cu; do cp "$(dirname "$0")/lesson" "$2/${file%/*}"; done
TEXT
stand_in lesson <<'TEXT'
#!/usr/bin/env bash
name=$(basename "$0")
n=$((10#${name:0:2} + 1))
m=4096
[[ $1 == --* ]] || m=$1
((m >= 0)) || { echo "$name: negative" >&2; exit 2; }
verdict=right status=0
[[ -n ${WRONG:-} && $name == 01_* ]] && verdict="wrong at (3, 4)" status=1
beta=0
[[ "$*" == *"--beta 1"* ]] && beta=1
tflops="$n.5"
# The second of three processes of bench is the fastest, the third is the middle one.
if [[ -n ${COUNTER:-} ]]; then
  echo >>"$COUNTER.$name.$m.$beta.$3"
  calls=$(wc -l <"$COUNTER.$name.$m.$beta.$3")
  tflops=$n.$(sed -n "${calls}p" <<<$'1\n9\n5')
fi
echo '{"lesson": "'"$name"'", "backend": "gpu", "gpu": "G", "M": '"$m"', "N": '"${2:-1}"', "K": '"${3:-1}"',' \
  '"lda": 1, "alpha": 1, "beta": '"$beta"', "ms": {"min": 1, "median": 2.25, "max": 3},' \
  '"tflops": '"$tflops"', "baseline": "cuBLAS", "baseline_ms": {"min": 1, "median": 7, "max": 9},' \
  '"baseline_tflops": 10, "peak_tflops": 20, "grid": [1, 1, 1], "verdict": "'"$verdict"'", "bound": null}'
exit $status
TEXT
export PATH=$work/bin:$PATH

# expect STATUS PATTERN COMMAND...: the command's status, and a pattern in what it says.
expect() {
  local status=0 output
  output=$("${@:3}" 2>&1) || status=$?
  if [[ $status != "$1" ]] || ! grep -qE -- "$2" <<<"$output"; then
    printf 'FAILED: %s\n  status %s, wanted %s and /%s/ in:\n%s\n' "${*:3}" "$status" "$1" "$2" "$output"
    faults=$((faults + 1))
  fi
}

ladder=$work/tree/ladder
cd /
expect 0 '^  diff LESSON' "$ladder"
expect 0 '^  run ' "$ladder" help
expect 2 "^ladder: unknown command 'fly'" "$ladder" fly
expect 2 "unknown command '../run'" "$ladder" ../run
expect 2 'did you mean 02_coalesced\?' "$ladder" run colesced
expect 2 'did you mean 01_shared_tile\?' "$ladder" diff 01_shared_tiles
expect 2 "no lesson called '99'" "$ladder" test 99
expect 2 'first rung' "$ladder" diff 0
expect 2 'usage: ./ladder diff' "$ladder" diff
expect 0 '^[0-9]+ lines changed: [0-9]+ added' "$ladder" diff 2
expect 2 "unknown option '--fast' of test" "$ladder" test --fast
expect 2 'takes a number' "$ladder" bench --processes x

# The table: lessons by every kind of name, sizes told from lessons, the factor over the rung below.
expect 0 '^00_naive +2.250 +1.50 +15.0 +7.5 +-  right$' "$ladder" run
expect 0 '^01_shared_tile +2.250 +2.50 +25.0 +12.5 +1.67x  right$' "$ladder" run 0 shared_tile
expect 0 '^02_coalesced .* -  right$' "$ladder" run 00 02_coalesced/
expect 0 '^M N K = 7 8 9, ' "$ladder" run 1 7 8 9
expect 0 '^02_coalesced ' "$ladder" run 00 01 02
expect 0 'beta 1, on G$' "$ladder" run 1 7 8 9 --beta 1
expect 2 '^00_naive: negative$' "$ladder" run -1 8 9
expect 1 'wrong at \(3, 4\)$' env WRONG=1 "$ladder" run 0 1
expect 0 '"lesson": "02_coalesced"' "$ladder" run 2 --json
expect 0 'no NVIDIA GPU here|No NVIDIA GPU here' env NO_GPU=1 "$ladder" run 2
expect 3 'needs an NVIDIA GPU' env NO_GPU=1 "$ladder" bench

# Packages: named, or installed through apt-get as root or through sudo, after fetching the lists if
# the first attempt fails.
stand_in sudo <<'TEXT'
#!/usr/bin/env bash
[[ $1 == -v ]] || exec "$@"
TEXT
stand_in apt-get <<'TEXT'
#!/usr/bin/env bash
echo "$*" >>"$APT_LOG"
[[ $1 == update ]] || [[ $(grep -c install "$APT_LOG") -gt 1 ]]
TEXT
export APT_LOG=$work/apt.log
expect 3 'g\+\+: compiles the harness' env CXX=absent "$ladder" run 2 --no-install
expect 3 'please install .*: g\+\+ libboost-context-dev$' env NO_GPU=1 CXX=absent "$ladder" run 2 --no-install
expect 3 'please install .*: g\+\+$' env CXX=absent "$ladder" run 2 --no-install
expect 0 '^02_coalesced ' env CXX=absent "$ladder" run 2
expect 0 '^install -y --no-install-recommends g\+\+$' sed -n 1p "$APT_LOG"
expect 0 '^update$' sed -n 2p "$APT_LOG"
expect 0 '^install .* g\+\+$' sed -n 3p "$APT_LOG"

# bench: the middle one of three, a valid file under the GPU's name, other lessons' runs kept.
export COUNTER=$work/counter
results=$work/tree/docs/results/rtx_1.json
expect 0 'wrote docs/results/rtx_1.json' "$ladder" bench 00 02
expect 0 '^    \{"lesson": "02_coalesced", "M": 128, .*"tflops": 3.5, .*"source_hash": "[0-9a-f]{16}"\},$' \
  cat "$results"
expect 1 '^0$' grep -c -e baseline_ms -e verdict -e '"gpu": "G"' "$results"
expect 0 '^9$' grep -c 00_naive "$results"
expect 0 '^11$' grep -c 02_coalesced "$results"
rm -f "$COUNTER".*
expect 0 wrote "$ladder" bench 01
expect 0 '^29$' grep -c '"lesson"' "$results"
cp "$results" "$work/before"
expect 1 'nothing was written' env WRONG=1 "$ladder" bench 01
expect 0 '^$' cmp "$results" "$work/before"
expect 0 '^$' find "$work/tree/build" -name 'bench.*'

((faults == 0)) || exit 1
echo "ladder: every test passed"
