#!/usr/bin/env bash
# site.sh [--no-gallery]: writes the documents as a site to build/site/html: the pages of docs, the changelog, and a
# gallery of all packaged scenes, whose pictures and real-time factors the program measures. Without the gallery, the
# page lists the scenes only. MkDocs fails at a broken link; tools/site-check.py also checks anchors and pictures.
set -euo pipefail
cd "$(dirname "$0")/.."
gallery=yes
[ "${1:-}" = --no-gallery ] && gallery=
docs=build/site/docs
program=build/release/app/voxwake
rm -rf build/site/html "$docs"
mkdir -p "$docs" build/site/pictures
cp -a docs/. "$docs/"
cp CHANGELOG.md "$docs/changelog.md"

if [ -n "$gallery" ]; then
  tools/build.sh release voxwake
  python3 tools/gallery.py "$program" "$docs" build/site/pictures
else
  python3 tools/gallery.py --list assets/scenes "$docs"
fi
mkdocs build --strict --quiet
python3 tools/site-check.py build/site/html
