"""Files on file systems that may be slow."""

import base64
import json
import os
from collections import OrderedDict
from typing import Dict, Set

from gi.repository import Gio, GLib, GObject

from docsource_desktop.answer import NOTHING, Answer, from_plain
from docsource_desktop.report import guarded

_READER = ["/usr/bin/python3", os.path.join(os.path.dirname(__file__), "slow_reader.py")]


class SlowFiles:
    """Files that another process reads, so that the file manager never waits."""

    _REMEMBERED = 10_000
    _AT_ONCE = 64

    def __init__(self) -> None:
        self._answers: "OrderedDict[bytes, Answer]" = OrderedDict()
        self._fresh: Set[bytes] = set()
        self._waiting: "OrderedDict[bytes, GObject.Object]" = OrderedDict()
        self._is_reading = False

    def known(self, path: bytes) -> Answer:
        """The last result."""
        return self._answers.get(path, NOTHING)

    def update(self, path: bytes, file: GObject.Object) -> Answer:
        """The last result. Reads the file again afterwards, unless that has just happened."""
        if path in self._fresh:
            self._fresh.discard(path)
        else:
            self._waiting[path] = file
            self._next()
        return self._answers.get(path, NOTHING)

    def _next(self) -> None:
        if self._is_reading or not self._waiting:
            return
        batch = {}
        while self._waiting and len(batch) < self._AT_ONCE:
            path, file = self._waiting.popitem(last=False)
            batch[path] = file
        process = Gio.Subprocess.new(
            _READER, Gio.SubprocessFlags.STDIN_PIPE | Gio.SubprocessFlags.STDOUT_PIPE
            | Gio.SubprocessFlags.STDERR_SILENCE)
        self._is_reading = True
        paths = GLib.Bytes.new(b"".join(path + b"\0" for path in batch))
        process.communicate_async(paths, None, self._finished, batch)

    @guarded()
    def _finished(
        self, process: Gio.Subprocess, result: Gio.AsyncResult,
        batch: Dict[bytes, GObject.Object],
    ) -> None:
        self._is_reading = False
        try:
            _, output, _ = process.communicate_finish(result)
            for line in output.get_data().splitlines():
                path, answer = json.loads(line)
                path = base64.b64decode(path)
                if path in batch:
                    self._remember(path, from_plain(answer), batch[path])
        finally:
            self._next()

    def _remember(self, path: bytes, answer: Answer, file: GObject.Object) -> None:
        changed = self._answers.get(path, NOTHING) != answer
        self._answers[path] = answer
        self._answers.move_to_end(path)
        while len(self._answers) > self._REMEMBERED:
            self._answers.popitem(last=False)
        if changed:
            self._fresh.add(path)
            file.invalidate_extension_info()


slow_files = SlowFiles()
