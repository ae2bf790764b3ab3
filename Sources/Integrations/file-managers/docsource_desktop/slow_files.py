"""Files on file systems that may be slow."""

import base64
import json
import os
from collections import OrderedDict
from typing import Dict, Set, Tuple

from documentsource import Source
from gi.repository import Gio, GObject

from docsource_desktop.answer import Answer, Damaged
from docsource_desktop.places import program
from docsource_desktop.report import guarded


class SlowFiles:
    """Files whose sources `docsource show` reads, so that the file manager never waits."""

    _REMEMBERED = 10_000
    _AT_ONCE = 64

    def __init__(self) -> None:
        self._answers: "OrderedDict[bytes, Answer]" = OrderedDict()
        self._fresh: Set[bytes] = set()
        self._waiting: "OrderedDict[bytes, GObject.Object]" = OrderedDict()
        self._is_reading = False

    def known(self, path: bytes) -> Answer:
        """The last result."""
        return self._answers.get(path)

    def update(self, path: bytes, file: GObject.Object) -> Answer:
        """The last result. Reads the file again afterwards, unless that has just happened."""
        if path in self._fresh:
            self._fresh.discard(path)
        else:
            self._waiting[path] = file
            self._next()
        return self._answers.get(path)

    def _next(self) -> None:
        if self._is_reading or not self._waiting:
            return
        batch = {}
        while self._waiting and len(batch) < self._AT_ONCE:
            path, file = self._waiting.popitem(last=False)
            batch[path] = file
        process = Gio.Subprocess.new(
            [program("docsource"), "show", "--json", "--", *map(os.fsdecode, batch)],
            Gio.SubprocessFlags.STDOUT_PIPE | Gio.SubprocessFlags.STDERR_SILENCE)
        self._is_reading = True
        process.communicate_async(None, None, self._finished, batch)

    @guarded()
    def _finished(
        self, process: Gio.Subprocess, result: Gio.AsyncResult,
        batch: Dict[bytes, GObject.Object],
    ) -> None:
        self._is_reading = False
        try:
            _, output, _ = process.communicate_finish(result)
            for line in output.get_data().splitlines():
                path, answer = self._parsed(json.loads(line))
                if path in batch:
                    self._remember(path, answer, batch[path])
        finally:
            self._next()

    @staticmethod
    def _parsed(line: dict) -> Tuple[bytes, Answer]:
        if "fileBase64" in line:
            path = base64.b64decode(line["fileBase64"])
        else:
            path = line["file"].encode("utf-8")
        source = line.get("source")
        if source:
            fields = "identifier", "name", "path", "appInfoURL"
            return path, Source(*map(source.get, fields), line.get("carrier", ""))
        return path, Damaged(line["reason"]) if line.get("reason") else None

    def _remember(self, path: bytes, answer: Answer, file: GObject.Object) -> None:
        changed = self._answers.get(path) != answer
        self._answers[path] = answer
        self._answers.move_to_end(path)
        while len(self._answers) > self._REMEMBERED:
            self._answers.popitem(last=False)
        if changed:
            self._fresh.add(path)
            file.invalidate_extension_info()


slow_files = SlowFiles()
