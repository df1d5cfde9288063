# shellcheck shell=bash
#: test [LESSON...] [--mutants]  every test, on the GPU where there is one and on the CPU backend;
#:                             --mutants adds the long ones: each planted bug must be caught (CPU),
#:                             offsets beyond 2^31 (GPU, 10 GB)

# run_tests BACKEND CTEST_OPTION...: 0 if all passed.
run_tests() {
  local backend=$1
  shift
  build "$backend" on all
  ctest --preset "$backend" -j "$jobs" "$@"
}

command_test() {
  local names=() argument select=() status=0
  configure_options=(-DLADDER_MUTANTS=off)
  for argument in "$@"; do
    case $argument in
      --mutants) configure_options=(-DLADDER_MUTANTS=on) ;;
      -*) die 2 "unknown option '$argument' of test" ;;
      *) names+=("$(lesson "$argument")") || exit ;;
    esac
  done
  if [[ ${#names[@]} -gt 0 ]]; then
    select=(-R "^($(IFS='|' && echo "${names[*]}"))[.]")
  fi
  need test
  if [[ $(backend) == gpu ]]; then
    run_tests gpu "${select[@]}" || status=1
    # The CPU build has a skipped row for each .gpu test, which has just run.
    run_tests cpu "${select[@]}" -E '[.]gpu$' || status=1
  else
    run_tests cpu "${select[@]}" || status=1
  fi
  return "$status"
}
