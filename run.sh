#!/usr/bin/env bash
# Installs missing packages, builds (release) and opens the showcase scene, or the scene or command given: ./run.sh path/to/scene.toml
# With no display it renders the showcase off screen to an MP4 and a PNG and says where.
set -euo pipefail
cd "$(dirname "$0")"
tools/install-packages.sh third_party/debian-packages.txt
tools/build.sh release voxwake
program=build/release/app/voxwake

if [ $# -gt 0 ]; then exec "$program" "$@"; fi
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then exec "$program" showcase; fi

mkdir -p out
echo "No display is available: rendering the showcase scene off screen."
"$program" render showcase --until 6 --size 1280x720 --fps 30 --video out/showcase.mp4 --frame out/showcase.png
echo "Video:   $PWD/out/showcase.mp4"
echo "Picture: $PWD/out/showcase.png"
