"""drop.py TITLE PATH: drops a file on the X11 window whose title contains TITLE, as file managers do (protocol XDND 5,
https://www.freedesktop.org/wiki/Specifications/XDND/). Waits up to a minute for the window. check.sh runs this script.
"""
import sys
import time
import urllib.parse

from Xlib import X, Xatom, display
from Xlib.protocol import event

title, path = sys.argv[1:]
data = ("file://" + urllib.parse.quote(path) + "\r\n").encode()
screen = display.Display()
root = screen.screen().root
atom = screen.intern_atom
source = root.create_window(0, 0, 1, 1, 0, X.CopyFromParent)


def windows_below(window):
    for child in window.query_tree().children:
        yield child
        yield from windows_below(child)


def find():
    for window in windows_below(root):
        name = window.get_full_text_property(atom("_NET_WM_NAME")) or window.get_wm_name() or ""
        if title in name and window.get_full_property(atom("XdndAware"), X.AnyPropertyType):
            if window.get_attributes().map_state == X.IsViewable:
                return window
    return None


target = None
for _ in range(600):
    target = find()
    if target is not None:
        break
    time.sleep(0.1)
if target is None:
    sys.exit(f"drop.py: no window with the title {title} takes files")


def send(name, *words):
    target.send_event(event.ClientMessage(window=target, client_type=atom(name), data=(32, [source.id, *words])))
    screen.flush()


def wait_for(name):
    """Answers requests for the data until the target sends this message."""
    end = time.monotonic() + 20
    while time.monotonic() < end:
        if screen.pending_events() == 0:
            time.sleep(0.01)
            continue
        message = screen.next_event()
        if message.type == X.SelectionRequest:
            asked = message.target == atom("text/uri-list")
            if asked:
                message.requestor.change_property(message.property, message.target, 8, data)
            message.requestor.send_event(event.SelectionNotify(
                time=message.time, requestor=message.requestor, selection=message.selection, target=message.target,
                property=message.property if asked else X.NONE))
            screen.flush()
        elif message.type == X.ClientMessage and message.client_type == atom(name):
            return
    sys.exit(f"drop.py: the window does not send {name}")


source.set_selection_owner(atom("XdndSelection"), X.CurrentTime)
source.change_property(atom("XdndTypeList"), Xatom.ATOM, 32, [atom("text/uri-list")])
place = target.translate_coords(root, 0, 0)
x, y = -place.x + 300, -place.y + 300
send("XdndEnter", 5 << 24, atom("text/uri-list"), 0, 0)
send("XdndPosition", 0, x << 16 | y, X.CurrentTime, atom("XdndActionCopy"))
wait_for("XdndStatus")
send("XdndDrop", 0, X.CurrentTime, 0, 0)
wait_for("XdndFinished")
