#!/usr/bin/env bash
# site.sh [--no-gallery]: writes the documents as a web site to build/site/html: the pages of docs, the changelog, and a
# gallery of all packaged scenes with pictures and measured real-time factors. With --no-gallery, the page only lists
# the scenes. MkDocs fails if a link is broken. tools/site-check.py also checks anchors and pictures.
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
