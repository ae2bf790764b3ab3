"""Finds out which file systems may be slow."""

import functools
import os
import re
from typing import Dict, Optional

from gi.repository import GLib

from docsource_desktop.report import guarded


class Mounts:
    """Paths to file systems that depend on other processes or machines."""

    _REMOTE = {
        b"9p", b"afs", b"ceph", b"cifs", b"coda", b"gfs2", b"glusterfs", b"lustre", b"ncpfs",
        b"nfs", b"nfs4", b"ocfs2", b"pvfs2", b"smb3", b"smbfs", b"virtiofs",
    }
    _TABLE = "/proc/self/mountinfo"
    _LINKS = 40
    """The number of links that the kernel follows."""

    def __init__(self) -> None:
        self._points: Dict[bytes, bytes] = {}
        self._of_directory = functools.lru_cache(maxsize=4096)(self._find)
        self._real_directory = functools.lru_cache(maxsize=4096)(self._without_links)
        try:
            self._table = open(self._TABLE, "rb")
        except OSError:  # a sandbox without /proc
            return
        # proc(5): a change of the mounts is an exceptional condition.
        GLib.io_add_watch(
            self._table.fileno(), GLib.PRIORITY_DEFAULT, GLib.IOCondition.PRI, self._changed)
        self._load()

    def _load(self) -> None:
        self._table.seek(0)
        points = {}
        for line in self._table:
            fields, _, rest = line.partition(b" - ")
            point = re.sub(
                rb"\\([0-7]{3})", lambda code: bytes([int(code[1], 8)]), fields.split(b" ")[4])
            points[point.rstrip(b"/")] = rest.split(b" ", 1)[0]
        self._points = points
        self._of_directory.cache_clear()
        self._real_directory.cache_clear()

    @guarded(lambda: True)
    def _changed(self, *_: object) -> bool:
        self._load()
        return True

    def _find(self, directory: bytes) -> bytes:
        for point, kind in sorted(self._points.items(), key=lambda item: -len(item[0])):
            if directory == point or directory.startswith(point + b"/"):
                return kind
        return b""

    def _kind(self, path: bytes) -> bytes:
        if path in self._points:
            return self._points[path]
        return self._of_directory(path[:path.rindex(b"/")])

    @staticmethod
    def _target(path: bytes) -> Optional[bytes]:
        """The target of a link; None for anything else."""
        try:
            return os.readlink(path)
        except OSError:
            return None

    def _without_links(self, path: bytes) -> bytes:
        """The path after following links, as far as possible without asking a slow file system."""
        real, links = b"", 0
        names = path.split(b"/")[::-1]
        while names:
            name = names.pop()
            if name in (b"", b"."):
                continue
            if name == b"..":
                real = real.rpartition(b"/")[0]
                continue
            here = real + b"/" + name
            target = None if self._keeps_waiting(here) else self._target(here)
            if target is None:
                real = here
                continue
            links += 1
            if links > self._LINKS:
                return path
            if target.startswith(b"/"):
                real = b""
            names += target.split(b"/")[::-1]
        return real

    def _real(self, path: bytes) -> bytes:
        directory, _, name = path.rpartition(b"/")
        here = self._real_directory(directory) + b"/" + name
        if self._keeps_waiting(here) or self._target(here) is None:
            return here
        return self._without_links(here)

    def _keeps_waiting(self, path: bytes) -> bool:
        kind = self._kind(path)
        return kind in self._REMOTE or kind == b"fuse" or kind.startswith(b"fuse.")

    def is_foreign(self, path: bytes) -> bool:
        return self._kind(self._real(path)) == b"fuse.gvfsd-fuse"

    def is_slow(self, path: bytes) -> bool:
        """Whether a file is on a slow file system, also if a link leads there."""
        return self._keeps_waiting(self._real(path))


mounts = Mounts()
