"""What is known of files without waiting."""

import urllib.parse
from typing import Optional

from gi.repository import GObject

from docsource_desktop.answer import NOTHING, Answer, read
from docsource_desktop.mounts import mounts
from docsource_desktop.slow_files import slow_files


def local_path(file: GObject.Object) -> Optional[bytes]:
    """The path of a local file; None for others, including those that GVfs only shows as local."""
    uri = file.get_uri()
    if uri[:len("file:///")].lower() != "file:///":
        return None
    path = urllib.parse.unquote_to_bytes(uri[len("file://"):])
    return None if mounts.is_foreign(path) else path


def answer(file: GObject.Object, is_whole: bool = False, has_records: bool = False) -> Answer:
    """What a file says, or for a slow file what it said last. `is_whole`: all of its marks, with
    `has_records` also what browsers have recorded of it, and the program that its content names.
    """
    path = local_path(file)
    if path is None:
        return NOTHING
    return slow_files.known(path) if mounts.is_slow(path) else read(
        path, is_whole, has_records)
