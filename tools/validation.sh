#!/usr/bin/env bash
# Runs every analytic case, the slow ones too, and rewrites docs/validation.md from what they measured.
set -euo pipefail
cd "$(dirname "$0")/.."
cases=$(mktemp)
trap 'rm -f "$cases"' EXIT
# Every program whose sources record a case, so that none can be left out.
for folder in $(grep -lr validation.h tests --include='*.cpp' | cut -d/ -f2 | sort -u); do
  program=build/release/tests/test_$folder
  [ -x "$program" ] || { echo "$program records cases and is not built" >&2; exit 1; }
  VOXWAKE_VALIDATION_OUT=$cases "$program" --gtest_brief=1
done
{
  echo "# Validation"
  echo
  echo "Every analytic case with what was measured, written by \`./test.sh validation\` on $(date -u +%Y-%m-%d). Formulas and sources stand beside each test and in"
  echo "the kernels. Error and tolerance are relative to the expected value, absolute where that is 0."
  echo
  echo "| subject | case | expected | measured | error | tolerance |"
  echo "|---|---|---|---|---|---|"
  sort -u "$cases" | awk -F'\t' '{ gsub(/\|/, "\\|"); e = $3 - $4; if (e < 0) e = -e; if ($4 != 0) e /= ($4 < 0 ? -$4 : $4)
    unit = $6 == "" ? "" : " " $6; printf "| %s | %s | %.6g%s | %.6g%s | %.2g | %.2g |\n", $1, $2, $4, unit, $3, unit, e, $5 }'
} >docs/validation.md
echo "docs/validation.md: $(sort -u "$cases" | wc -l) cases"
