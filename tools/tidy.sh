#!/usr/bin/env bash
# clang-tidy over our own sources, or over those given; uses the release build's compile commands.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ $# -gt 0 ]; then files=("$@"); else mapfile -t files < <(git ls-files -- 'sim/*.cpp' 'render/*.cpp' 'app/*.cpp' 'bench/*.cpp'); fi
printf '%s\n' "${files[@]}" | xargs -P "$(nproc)" -n 4 clang-tidy -p build/release --quiet --extra-arg=-Wno-unknown-warning-option 2>/dev/null
