"""site-check.py FOLDER: checks the pages of a built site.

Every link to a page, an anchor or a picture of the site must have a target, and no page may load a script, style, font
or picture from the network. Links to other sites are counted but not opened.
"""

import html.parser
import pathlib
import re
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    """The anchors, links and loaded files of one page."""

    def __init__(self, text):
        super().__init__()
        self.anchors, self.links, self.loads = {""}, [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.anchors.update(values[key] for key in ("id", "name") if values.get(key))
        if tag == "a" and values.get("href"):
            self.links.append(values["href"])
        if tag in ("img", "script", "iframe", "source", "video") and values.get("src"):
            self.loads.append(values["src"])
        if tag == "link" and values.get("href") and values.get("rel") != "canonical":
            self.loads.append(values["href"])


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    pages = {path: Page(path.read_text()) for path in root.rglob("*.html")}
    problems, outside, inside = [], 0, 0
    for path, page in pages.items():
        if path.name == "404.html":
            continue  # its links are relative to the root of the server, so they cannot be checked here
        name = path.relative_to(root)
        for link in page.links + page.loads:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme in ("http", "https") or parts.netloc:
                outside += 1
                if link in page.loads:
                    problems.append(f"{name}: loads {link} from the network")
                continue
            if parts.scheme:
                continue
            inside += 1
            target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target = target / "index.html"
            if not target.is_file():
                problems.append(f"{name}: {link}: there is no such file")
            elif target in pages and urllib.parse.unquote(parts.fragment) not in pages[target].anchors:
                problems.append(f"{name}: {link}: the page has no such anchor")
    for style in root.rglob("*.css"):
        for address in re.findall(r"url\(['\"]?(https?:[^)'\"]*)", style.read_text(errors="replace")):
            problems.append(f"{style.relative_to(root)}: loads {address} from the network")
    for problem in problems:
        print(f"tools/site-check.py: {problem}", file=sys.stderr)
    print(f"{len(pages)} pages, {inside} links inside, {outside} links to other sites, {len(problems)} problems")
    sys.exit(1 if problems else 0)


main()
