# shellcheck shell=bash
#: explain LESSON [M N K] [--against OTHER] [--json]
#:                             what a GPU's memory system would have to do, line by line, on the
#:                             CPU backend (no GPU needed); --against: the totals beside those of
#:                             another lesson, or of this one in a git revision

explain_usage="usage: ./ladder explain LESSON [M N K] [--against LESSON|REVISION] [--json]"

# explain_against NAME OTHER: sets other to the target to compare with, and other_name. A revision's
# file is put where the build looks for it.
explain_against() {
  if other=$(lesson "$2" 2>/dev/null); then
    other_name=$other
    return
  fi
  git rev-parse --verify --quiet "$2^{commit}" >/dev/null 2>&1 ||
    die 2 "no lesson and no git revision called '$2'"
  local folder=build/cpu/against
  mkdir -p "$folder"
  git show "$2:$1/gemm.cu" >"$folder/new" 2>/dev/null || die 2 "revision '$2' has no $1/gemm.cu"
  # An unchanged file keeps its time, and need not be built again.
  cmp -s "$folder/new" "$folder/gemm.cu" || cp "$folder/new" "$folder/gemm.cu"
  rm -f "$folder/new"
  other=against
  other_name="$2"
}

command_explain() {
  local name="" sizes=() options=() against="" argument other="" other_name="" saved status=0
  while [[ $# -gt 0 ]]; do
    argument=$1
    shift
    case $argument in
      --against)
        [[ $# -gt 0 && -n $1 ]] || die 2 "--against needs a lesson or a git revision"
        against=$1
        shift
        ;;
      --against=?*) against=${argument#*=} ;;
      --json | --no-check) options+=("$argument") ;;
      --help | -h)
        echo "$explain_usage"
        return
        ;;
      --*) die 2 "unknown option '$argument' of explain" ;;
      *)
        if [[ -z $name ]]; then
          name=$(lesson "$argument") || exit
        else
          [[ $argument =~ ^[0-9]+$ ]] || die 2 "sizes must be whole numbers, not '$argument'"
          sizes+=("$argument")
        fi
        ;;
    esac
  done
  [[ -n $name ]] || die 2 "$explain_usage"
  [[ ${#sizes[@]} == 0 || ${#sizes[@]} == 3 ]] ||
    die 2 "expected the three sizes M N K or none, not ${#sizes[@]} of them"
  [[ -z $against ]] || explain_against "$name" "$against"
  need run
  build cpu off "explain.$name" ${other:+"explain.$other"}
  local folder=build/cpu/common/simt/explain
  if [[ -n $other ]]; then
    saved=$(mktemp "$root/build/explain.XXXXXX")
    # shellcheck disable=SC2064
    trap "rm -f '$saved'" EXIT
    "$folder/explain.$other" "${sizes[@]}" --no-check --name "$other_name" --save "$saved" || exit
    options+=(--against "$saved" --against-name "$other_name")
  fi
  "$folder/explain.$name" "${sizes[@]}" "${options[@]}" || status=$?
  return "$status"
}
