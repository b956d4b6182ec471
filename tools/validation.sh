#!/usr/bin/env bash
# Runs every analytic case, the slow ones too, and rewrites docs/validation.md from what they measured.
set -euo pipefail
cd "$(dirname "$0")/.."
cases=$(mktemp)
trap 'rm -f "$cases"' EXIT
for program in build/release/tests/test_{field,collision,particles,voxel,interaction,world}; do
  [ -x "$program" ] && VOXWAKE_VALIDATION_OUT=$cases "$program" --gtest_brief=1
done
{
  echo "# Validation"
  echo
  echo "Every analytic case with what was measured, written by \`./test.sh validation\` on $(date -u +%Y-%m-%d). Tolerances are those of the tests;"
  echo "the formulas and their sources stand beside each test and in the kernels."
  echo
  echo "| subject | case | expected | measured | error | tolerance |"
  echo "|---|---|---|---|---|---|"
  sort -u "$cases" | awk -F'\t' '{ e = $4 - $3; if (e < 0) e = -e; printf "| %s | %s | %.6g | %.6g | %.3g | %.3g |\n", $1, $2, $3, $4, e, $5 }'
} >docs/validation.md
echo "docs/validation.md: $(sort -u "$cases" | wc -l) cases"
