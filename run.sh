#!/usr/bin/env bash
# Installs missing packages, builds the release preset and runs voxwake with the given arguments, for example ./run.sh
# path/to/scene.toml. Without arguments, the script opens the scene `showcase`. If no display is available, or if the
# display cannot be used, it renders this scene off screen to an MP4 file and a PNG file and prints their paths.
set -euo pipefail
folder=$PWD  # names of files in the arguments are relative to this folder
cd "$(dirname "$0")"
tools/install-packages.sh third_party/debian-packages.txt
targets=(voxwake)
if [ "${1:-}" = bench ]; then targets+=(voxwake_bench_command); fi
tools/build.sh release "${targets[@]}"
program=$PWD/build/release/app/voxwake

if [ $# -gt 0 ]; then cd "$folder"; exec "$program" "$@"; fi
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
  status=0
  "$program" showcase || status=$?
  [ "$status" -eq 2 ] || exit "$status"  # 2: the window cannot be opened, and the program has said why
fi

mkdir -p out
echo "No window can be opened: rendering the showcase scene off screen."
"$program" render showcase --until 6 --size 1280x720 --fps 30 --video out/showcase.mp4 --frame out/showcase.png
echo "Video:   $PWD/out/showcase.mp4"
echo "Picture: $PWD/out/showcase.png"
