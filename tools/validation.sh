#!/usr/bin/env bash
# Runs all tests that compare results with known (analytic) values, including slow tests, and writes the measured values
# to docs/validation.md. The results of a test program are stored in build/validation until the program is rebuilt.
# After an interruption, the same command runs only the test programs that have no stored results.
set -euo pipefail
cd "$(dirname "$0")/.."
kept=build/validation
mkdir -p "$kept"

run_program() {  # argument: folder of the tests
  local program=build/release/tests/test_$1 cases=build/validation/$1.cases
  [ -x "$program" ] || { echo "tools/validation.sh: $program is not built. Run tools/build.sh release." >&2; return 1; }
  if [ "$cases" -nt "$program" ]; then return 0; fi
  rm -f "$cases.part"
  local start=$SECONDS
  VOXWAKE_VALIDATION_OUT=$PWD/$cases.part "$program" --gtest_brief=1 >"build/validation/$1.log" 2>&1 || {
    cat "build/validation/$1.log" >&2
    return 1
  }
  mv "$cases.part" "$cases"
  echo "$program: $(wc -l <"$cases") cases in $((SECONDS - start)) s"
}
export -f run_program

# Folders of the test programs whose sources record a case. The programs fluid and voxel run first, because they take
# longest.
folders=$(grep -lr validation.h tests --include='*.cpp' | cut -d/ -f2 | sort -u | grep -v -e '^fluid$' -e '^voxel$')
printf '%s\n' fluid voxel $folders | xargs -P "$(nproc)" -I{} bash -c 'run_program {}'
cases=()  # without the results of test programs that no longer exist
for folder in fluid voxel $folders; do cases+=("$kept/$folder.cases"); done
{
  echo "# Validation"
  echo
  echo "All analytic cases with measured values, written by \`./test.sh validation\` on $(date -u +%Y-%m-%d). Formulas and sources are given beside each test and in"
  echo "the kernels. Error and tolerance are relative to the expected value, or absolute if the expected value is 0."
  echo
  echo "| subject | case | expected | measured | error | tolerance |"
  echo "|---|---|---|---|---|---|"
  sort -u "${cases[@]}" | awk -F'\t' '{ gsub(/\|/, "\\|"); e = $3 - $4; if (e < 0) e = -e; if ($4 != 0) e /= ($4 < 0 ? -$4 : $4)
    unit = $6 == "" ? "" : " " $6; printf "| %s | %s | %.6g%s | %.6g%s | %.2g | %.2g |\n", $1, $2, $4, unit, $3, unit, e, $5 }'
} >docs/validation.md
echo "docs/validation.md: $(sort -u "${cases[@]}" | wc -l) cases"
