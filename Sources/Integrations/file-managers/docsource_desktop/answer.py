"""What files say about where they came from."""

import urllib.parse
from typing import NamedTuple, Optional, Union

import documentsource
from documentsource import Source, Status
from gi.repository import GObject

from docsource_desktop.mounts import mounts


class Damaged(NamedTuple):
    """A value that cannot be read."""

    reason: str


Answer = Union[Source, Damaged, None]


def local_path(file: GObject.Object) -> Optional[bytes]:
    """The path of a local file; None for others, including those that GVfs only shows as local."""
    uri = file.get_uri()
    if not uri.startswith("file:///"):
        return None
    path = urllib.parse.unquote_to_bytes(uri[len("file://"):])
    return None if mounts.is_foreign(path) else path


def read(path: bytes) -> Answer:
    """The source of a file; None also if the file is missing or not readable."""
    try:
        return documentsource.read(path)
    except documentsource.Error as error:
        return Damaged(error.reason or "") if error.status == Status.DAMAGED else None
