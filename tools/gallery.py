"""Writes the page gallery.md with a picture and the real-time factor of each packaged scene.

gallery.py PROGRAM DOCS PICTURES: the program renders the pictures in software, so no graphics device is needed. A
picture in the folder PICTURES is drawn again only if it is older than the program or the scene.
gallery.py --list SCENES DOCS: lists the scenes without pictures.
gallery.py --large PROGRAM PICTURES: renders all scenes with OpenGL at 1600x900, each at a telling moment, and eight of
them in film quality, to be looked at one by one. Existing pictures are kept.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

SIZE = "480x270"
UNTIL_S = 2.0  # by this time, most scenes show their subject
# Times [s] of the pictures of --large that are not drawn at UNTIL_S.
MOMENTS_S = {
    "bodies-dam-break": 0.8, "dam-break": 0.6, "dam-break-obstacle": 0.8, "debris": 1, "dominoes": 1.5,
    "double-dam-break": 0.6, "droplet": 0.3, "embers": 4, "filling-tank": 3, "hail": 1.5, "heavy-block": 1.5,
    "honey": 1.5, "jelly-drop": 0.6, "lab-chain": 0.5, "lab-collision": 0.8, "lab-dam-break": 0.4, "lab-drop": 0.6,
    "lab-friction": 1, "lab-gyroscope": 0.2, "lab-impact": 0.6, "lab-incline": 0.5, "lab-repose": 1,
    "lab-repulsion": 0.5, "lab-rolling": 0.9, "lab-slide": 1.2, "lab-stokes": 0.45, "lab-throw": 1, "lab-wind": 2.6,
    "obstacle-course": 3, "particle-fountain": 3, "sand-heap": 1.5, "school": 4, "shark": 4, "snap": 0.6,
    "starlings": 6, "stiff-drop": 0.5, "swimmer": 4, "walker": 4, "whirlwind": 4, "wind-tunnel": 4}
FILM_SCENES = ("showcase", "school", "dam-break", "honey", "ship", "raft", "snap", "whirlwind")
SPEED_S = 0.5  # simulated time over which the real-time factor is measured


def text_of(scene, key):
    match = re.search(rf'^{key} = "(.*)"$', scene, re.MULTILINE)
    return match[1].replace('\\"', '"') if match else ""


def command(program, *arguments):
    return subprocess.run([program, *arguments], check=True, capture_output=True, text=True).stdout


def draw(program, path, pictures):
    picture = pictures / f"{path.stem}.png"
    newest = max(os.path.getmtime(program), path.stat().st_mtime)
    if not picture.exists() or picture.stat().st_mtime < newest:
        command(program, "render", str(path), "--until", str(UNTIL_S), "--size", SIZE, "--software", "--no-moment",
                "--frame", str(picture))
    return picture


def speed(program, path):
    report = command(program, "run", str(path), "--until", str(SPEED_S), "--report", "-")
    return json.loads(report)["realtime_factor"]


def draw_large(program, path, picture, *options):
    if picture.exists():
        return
    until = MOMENTS_S.get(path.stem, UNTIL_S)
    command(program, "render", str(path), "--until", str(until), "--no-moment", "--frame", str(picture), *options)


def make_large(program, pictures):
    pictures.mkdir(parents=True, exist_ok=True)
    for path in sorted(pathlib.Path("assets/scenes").glob("*.toml")):
        draw_large(program, path, pictures / f"{path.stem}.png", "--size", "1600x900")
        if path.stem in FILM_SCENES:
            draw_large(program, path, pictures / f"{path.stem}-film.png", "--size", "640x360", "--film",
                       "--film-samples", "64")


def main():
    if sys.argv[1] == "--large":
        return make_large(os.path.abspath(sys.argv[2]), pathlib.Path(sys.argv[3]))
    listing = sys.argv[1] == "--list"
    scenes = pathlib.Path(sys.argv[2] if listing else "assets/scenes")
    docs = pathlib.Path(sys.argv[3] if listing else sys.argv[2])
    paths = sorted(scenes.glob("*.toml"))
    groups = {}
    for path in paths:
        text = path.read_text()
        groups.setdefault(text_of(text, "group") or "other", []).append((path, text))
    pictures, factors = {}, {}
    if not listing:
        program, folder = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[3])
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            pictures = dict(zip(paths, pool.map(lambda path: draw(program, path, folder), paths)))
        factors = {path: speed(program, path) for path in paths}  # one at a time: the runs use all cores
        (docs / "gallery").mkdir()
        for picture in pictures.values():
            shutil.copy(picture, docs / "gallery")
    page = ["# Gallery", "", "All packaged scenes. `voxwake NAME` opens a scene in the window.", ""]
    for group in sorted(groups):
        page += [f"## {group.replace('_', ' ').capitalize()}", ""]
        for path, text in groups[group]:
            page += [f"### {text_of(text, 'title')}", ""]
            if path in pictures:
                page += [f"![{text_of(text, 'title')}](gallery/{path.stem}.png)", ""]
            page += [text_of(text, "description"), ""]
            line = f"`voxwake {path.stem}`"
            if path in factors:
                line += f" runs at {factors[path]:.2g} times real time on the machine that built this page."
            page += [line, ""]
    (docs / "gallery.md").write_text("\n".join(page))


main()
