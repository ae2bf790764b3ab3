"""The windows of docsource-dialog, in a session of its own.

DESKTOP_INSTALLED names where docsource is installed, DESKTOP_KEPT where screenshots and logs go.
"""

import os
import subprocess
import unittest
from typing import Optional

from desktop_session import PATIENCE, DesktopSession, wait

session = DesktopSession(os.environ["DESKTOP_INSTALLED"], os.environ["DESKTOP_KEPT"])
unittest.addModuleCleanup(session.close)

import screen  # noqa: E402 (it takes the session's bus)

PROGRAM = f"{session.prefix}/libexec/docsource/docsource-dialog"
VERSIONS = "3.0", "4.0"


class DialogTests(unittest.TestCase):
    def start(self, *words: str, files: bytes = b"", path: Optional[str] = None) -> None:
        environment = {**os.environ, **({"PATH": path} if path else {})}
        self.process = subprocess.Popen(
            ["/usr/bin/python3", "-B", PROGRAM, *words], stdin=subprocess.PIPE,
            stderr=subprocess.PIPE, env=environment)
        self.addCleanup(self.process.kill)
        self.process.stdin.write(files)
        self.process.stdin.close()

    def ended(self) -> str:
        """What it has said; its status is asserted on by `process.returncode`."""
        with self.process.stderr as errors:
            said = errors.read().decode()
        self.process.wait(PATIENCE)
        return "".join(
            line for line in said.splitlines(True) if line.startswith("docsource: "))

    def push(self, label: str) -> None:
        # GTK 4 tells the underlined letter, too.
        names = label, f"_{label} {label}"
        screen.act(wait(
            lambda: next(filter(None, (screen.named(name, "push button") for name in names)), None),
            f"the button {label!r}"))

    def close_error(self, title: str, lines: str) -> None:
        """Sees that a window says something, and closes it."""
        screen.wait_for(title)
        screen.wait_for(lines)
        screen.photograph(f"{session.kept}/dialog-{self.id().rsplit('.')[-1]}.png")
        self.push("Close")

    def test_what_was_not_removed_is_shown(self) -> None:
        reason = "cannot remove document source: no such file or directory"
        files = [f"{session.home}/missing{number}\x1b" for number in range(12)]
        shown = [f"{session.home}/missing{number}\\x1b: {reason}" for number in range(12)]
        for version in VERSIONS:
            with self.subTest(version):
                self.start(
                    "remove", f"--gtk={version}",
                    files=b"".join(os.fsencode(file) + b"\0" for file in files))
                self.close_error(
                    "The sources of 12 files could not be removed",
                    "\n".join([*shown[:10], "and 2 more"]))
                self.assertEqual(
                    self.ended(), "".join(f"docsource: {line}\n" for line in shown))
                self.assertEqual(self.process.returncode, 2)

    def test_what_was_not_tagged_is_shown(self) -> None:
        file = "/proc/self/status"
        reason = "cannot write document source: this file system does not store user attributes"
        for version in VERSIONS:
            with self.subTest(version):
                self.start("tag", f"--gtk={version}", file)
                screen.wait_for("com.appliedphasor.working-copy")
                self.push("Tag")
                self.close_error("1 file could not be tagged", f"{file}: {reason}")
                self.assertEqual(self.ended(), f"docsource: {file}: {reason}\n")
                self.assertEqual(self.process.returncode, 2)

    def test_giving_up_tags_nothing(self) -> None:
        file = session.file("untagged.txt")
        for version in VERSIONS:
            with self.subTest(version):
                self.start("tag", f"--gtk={version}", file)
                screen.wait_for("untagged.txt")
                self.push("Cancel")
                self.assertEqual(self.ended(), "")
                self.assertEqual((self.process.returncode, os.listxattr(file)), (0, []))

    def test_without_the_list_of_applications_that_is_said(self) -> None:
        program = f"{session.prefix}/bin/docsource"
        os.rename(program, f"{program}.kept")
        self.addCleanup(lambda: os.replace(f"{program}.kept", program))
        said = "docsource cannot list the applications"
        for text in "#!/bin/sh\nexit 2\n", "#!/bin/sh\necho nonsense\n":
            with self.subTest(text):
                with open(program, "w", encoding="utf-8") as script:
                    script.write(text)
                os.chmod(program, 0o755)
                self.start("tag", session.file("letter.txt"))
                self.close_error("1 file could not be tagged", said)
                self.assertEqual(self.ended(), f"docsource: {said}\n")
                self.assertEqual(self.process.returncode, 2)

    def test_removing_needs_no_display(self) -> None:
        file = session.file("tagged.txt")
        session.docsource("tag", "-q", "-i", "a.b", file)
        display = os.environ.pop("DISPLAY")
        self.addCleanup(lambda: os.environ.update(DISPLAY=display))
        for files in f"{file}\0".encode(), b"":
            self.start("remove", files=files)
            self.assertEqual((self.ended(), self.process.wait()), ("", 0))
        self.assertEqual(os.listxattr(file), [])

    def test_wrong_command_lines_are_refused(self) -> None:
        for words in [], ["show"], ["tag", "--gtk=2.0"], ["remove", "-x"]:
            with self.subTest(words):
                self.start(*words)
                self.ended()
                self.assertEqual(self.process.returncode, 64)


if __name__ == "__main__":
    unittest.main(verbosity=2)
