#!/bin/bash
# Compares state hashes of packaged scenes with tests/golden/hashes.tsv, or renews that file.
# Usage: tools/golden.sh check PROGRAM [STEPS...]   (STEPS: 24, 240 or both; default: both)
#        tools/golden.sh renew PROGRAM
# PROGRAM may be several words, such as "qemu-aarch64-static build/aarch64/app/voxwake".
# The environment variable VOXWAKE_INSTRUCTION_SET limits the instruction set of the program.
set -u
cd "$(dirname "$0")/.." || exit 1
[ $# -ge 2 ] || set -- help help
file=tests/golden/hashes.tsv
mode=$1
if [ -x "$2" ]; then program=("$2"); else read -ra program <<<"$2"; fi  # the path of a program may contain spaces
shift 2
hash_of() { # scene, steps
  "${program[@]}" run "assets/scenes/$1.toml" --steps "$2" </dev/null | sed -n 's/.*state hash \([0-9a-f]*\).*/\1/p'
}
case $mode in
  renew)
    kept=$(mktemp) || exit 1
    trap 'rm -f "$kept"' EXIT
    while IFS=$'\t' read -r scene _; do
      if [[ $scene == \#* ]]; then grep -m1 -F -- "$scene" "$file"; continue; fi
      short=$(hash_of "$scene" 24) long=$(hash_of "$scene" 240)
      [ -n "$short" ] && [ -n "$long" ] || { echo "tools/golden.sh: $scene has no state hash; $file is unchanged" >&2; exit 1; }
      printf '%s\t%s\t%s\n' "$scene" "$short" "$long"
    done <"$file" >"$kept"
    cat "$kept" >"$file"
    ;;
  check)
    [ $# -gt 0 ] || set -- 24 240
    wrong=0
    while IFS=$'\t' read -r scene short long; do
      [[ $scene == \#* ]] && continue
      for steps in "$@"; do
        expected=$short
        [ "$steps" = 240 ] && expected=$long
        found=$(hash_of "$scene" "$steps")
        [ "$found" = "$expected" ] && continue
        echo "$scene, $steps steps: state hash ${found:-missing}, expected $expected"
        wrong=1
      done
    done <"$file"
    exit $wrong
    ;;
  *) sed -n '2,6p' tools/golden.sh; exit 2 ;;
esac
