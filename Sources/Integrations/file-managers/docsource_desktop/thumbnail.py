"""The small picture of a share item.

Nothing here decodes an untrusted picture: docsource-fetch does that, in a process that has given up
its rights. It renders PNG only; JPEG is not shown. Whatever goes wrong, there is no picture.
"""

import base64
import json
import os
import stat
import subprocess
import threading
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

from docsource_desktop.places import program

_HEIGHT = 48
_WIDTH = 96
_SECONDS = 5.0
_ITEM_LIMIT = 16 << 20
_INPUT_LIMIT = 512 << 10
_OUTPUT_LIMIT = 1 << 20
_TRIED = 8
"""How many of an item's pictures are looked for, if some of them cannot be read."""

_SIGNATURE = b"\x89PNG\r\n\x1a\n"


class Thumbnail(NamedTuple):
    """A square PNG whose middle is the picture, so many points wide and high."""

    png: bytes
    width: int
    height: int


def thumbnail(files: List[bytes], scale: int = 1) -> Optional[Thumbnail]:
    """The picture of the only file, if that is a share item with one."""
    if len(files) != 1 or not files[0].lower().endswith(b".xei"):
        return None
    try:
        for one in _fitting(_listed(files[0]), scale)[:_TRIED]:
            png = _content(one, os.path.dirname(files[0]) or b".")
            if png is not None:
                return _rendered(png, scale)
    # What is listed has another form, or a program is not installed or fails.
    except (AttributeError, LookupError, OSError, RecursionError, TypeError, ValueError):
        pass
    return None


def _listed(file: bytes) -> List[Dict[str, Any]]:
    """The pictures that `docsource item show` tells of."""
    shown = _answer(
        [program("docsource"), "item", "show", "--json", "--files0-from=-"], file + b"\0",
        _ITEM_LIMIT)
    if shown is None:
        return []
    return json.loads(shown)["item"].get("thumbnails", [])


def _fitting(found: List[Dict[str, Any]], scale: int) -> List[Dict[str, Any]]:
    """The smallest of those that are large enough first, then the others, the largest first."""
    def order(one: Dict[str, Any]) -> Tuple[bool, int]:
        width, height = one.get("width", 0), one.get("height", 0)
        is_small = width < _WIDTH * scale and height < _HEIGHT * scale
        return is_small, -width * height if is_small else width * height

    return sorted(found, key=order)


def _content(one: Dict[str, Any], directory: bytes) -> Optional[bytes]:
    """The bytes of a picture, if they begin as a PNG does and are not too many."""
    if "data" in one:
        png = base64.b64decode(one["data"], validate=True)
    else:
        try:
            png = _read_below(directory, os.fsencode(one["path"]))
        except (OSError, ValueError):
            return None
    return png if len(png) <= _INPUT_LIMIT and png.startswith(_SIGNATURE) else None


def _read_below(directory: bytes, path: bytes) -> bytes:
    """The content of a file below a directory, reached by no link; a byte too much if too large."""
    *names, name = path.split(b"/")
    if not name or any(part in (b"", b".", b"..") for part in [*names, name]):
        raise ValueError("the path leads elsewhere")
    flags = os.O_CLOEXEC | os.O_NOFOLLOW
    place = os.open(directory, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for part in names:
            below = os.open(part, flags | os.O_PATH | os.O_DIRECTORY, dir_fd=place)
            os.close(place)
            place = below
        # A pipe without a writer would keep one waiting.
        opened = os.open(name, flags | os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY, dir_fd=place)
    finally:
        os.close(place)
    with os.fdopen(opened, "rb") as file:
        if not stat.S_ISREG(os.fstat(opened).st_mode):
            raise ValueError("not a regular file")
        return file.read(_INPUT_LIMIT + 1)


def _rendered(png: bytes, scale: int) -> Optional[Thumbnail]:
    """A picture as the renderer draws it: in the middle of a square as long as its longer side."""
    across, down = (int.from_bytes(png[start:start + 4], "big") for start in (16, 20))
    if across < 1 or down < 1:
        return None
    if across * _HEIGHT >= down * _WIDTH:
        width, height = _WIDTH, max(1, round(_WIDTH * down / across))
    else:
        width, height = max(1, round(_HEIGHT * across / down)), _HEIGHT
    side = max(width, height)
    drawn = _answer(
        [program("docsource-fetch"), "render", str(side), str(scale), "none", "no-stroke"], png,
        _OUTPUT_LIMIT, {"PATH": os.environ.get("PATH", os.defpath)})
    if drawn is None or not _is_drawn(drawn, side * scale):
        return None
    return Thumbnail(drawn, width, height)


def _is_drawn(png: bytes, side: int) -> bool:
    """Whether a PNG has the form that the renderer writes, which one taken over must have, too."""
    size = side.to_bytes(4, "big")
    types, start = [], len(_SIGNATURE)
    while start < len(png):
        types.append(png[start + 4:start + 8])
        start += 12 + int.from_bytes(png[start:start + 4], "big")
    return png.startswith(_SIGNATURE) and start == len(png) \
        and png[16:29] == size + size + bytes([8, 6, 0, 0, 0]) \
        and types[:2] == [b"IHDR", b"sRGB"] and types[-1] == b"IEND" \
        and set(types[2:-1]) == {b"IDAT"}


def _answer(
    command: List[str], given: bytes, limit: int, environment: Optional[Dict[str, str]] = None,
) -> Optional[bytes]:
    """What a program answers in time, if it succeeds and that is not too much."""
    with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            env=environment) as process:
        timer = threading.Timer(_SECONDS, process.kill)
        timer.daemon = True
        timer.start()
        process.stdin.write(given)
        process.stdin.close()
        answer = process.stdout.read(limit + 1)
        if len(answer) > limit:
            process.kill()
        status = process.wait()
    timer.cancel()
    return answer if status == 0 and len(answer) <= limit else None
