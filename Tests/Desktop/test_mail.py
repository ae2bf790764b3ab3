"""What a mail program receives of `docsource share --to mail`, in a session of its own.

DESKTOP_INSTALLED names where docsource is installed, DESKTOP_KEPT where screenshots and logs go. The
program is Claws Mail, registered for mailto:. It keeps the mail that it composes as a draft, which is
read by Python's library for mail. (Sylpheed takes no files from URLs.)
"""

import email
import email.policy
import os
import shutil
import unittest
from email.message import EmailMessage
from typing import List

import evidence
import windows
from desktop_session import DesktopSession, wait

session = DesktopSession(os.environ["DESKTOP_INSTALLED"], os.environ["DESKTOP_KEPT"])
unittest.addModuleCleanup(session.close)

import screen  # noqa: E402 (it takes the session's bus)

# What the wizard for new users would write.
_ACCOUNT = """[Account: 1]
account_name=me
is_default=1
name=Me
address=me@example.org
protocol=6
"""
_FOLDERS = """<?xml version="1.0" encoding="UTF-8"?>
<folderlist>
  <folder type="mh" name="Mailbox" path="Mail">
    <folderitem type="inbox" name="inbox" path="inbox"/>
    <folderitem type="outbox" name="sent" path="sent"/>
    <folderitem type="draft" name="drafts" path="draft"/>
    <folderitem type="queue" name="queue" path="queue"/>
    <folderitem type="trash" name="trash" path="trash"/>
    <folderitem type="junk" name="junk" path="junk"/>
  </folder>
</folderlist>
"""
_COMPOSING = " - Compose message"
# Which files a URL has attached.
_NOTICE = "^Notice$"


def setUpModule() -> None:
    # Windows get the keys by a window manager only.
    session.start(["openbox"], "openbox")
    session.file(".claws-mail/accountrc", _ACCOUNT.encode())
    session.file(".claws-mail/folderlist.xml", _FOLDERS.encode())
    session.file(".claws-mail/clawsrc", b"[Common]\nenable_aspell=0\nautosave=0\n")
    for name in "inbox", "sent", "draft", "queue", "trash", "junk":
        os.makedirs(f"{session.home}/Mail/{name}")
    session.file(
        ".config/mimeapps.list",
        b"[Default Applications]\nx-scheme-handler/mailto=claws-mail.desktop\n")


@unittest.skipUnless(shutil.which("claws-mail"), "claws-mail is not installed")
@unittest.skipUnless(shutil.which("xdg-email"), "xdg-email is not installed")
class MailTests(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls) -> None:
        cls.program = session.start_needed(["claws-mail"], "claws-mail")
        cls.addClassCleanup(session.end, cls.program)
        wait(lambda: windows.titled("Claws Mail"), "the mail program")

    def tearDown(self) -> None:
        screen.photograph(f"{session.kept}/mail-{self.id().rpartition('.')[2]}.png")

    def drafts(self) -> List[str]:
        folder = f"{session.home}/Mail/draft"
        return [f"{folder}/{name}" for name in sorted(os.listdir(folder)) if name.isdigit()]

    def received(self, *words: str) -> EmailMessage:
        """Hands over, has the mail program keep what it composes, and reads that."""
        before = self.drafts()
        session.docsource("share", "--to", "mail", *words)
        wait(lambda: windows.titled(_COMPOSING), "the mail to be composed")
        screen.photograph(f"{session.kept}/mail-{self.id().rpartition('.')[2]}-composed.png")

        def press(title: str, key: str) -> None:
            if windows.titled(title):
                windows.focus(title)
                screen.press(key)

        def keep() -> None:
            press(_NOTICE, "Escape")
            press(_COMPOSING, "ctrl+s")

        screen.act_until(lambda: len(self.drafts()) > len(before), keep, "the draft", patience=3)
        screen.act_until(
            lambda: not windows.titled(_COMPOSING), lambda: press(_COMPOSING, "ctrl+w"),
            "the window to be closed", patience=3)
        new, = set(self.drafts()) - set(before)
        with open(new, "rb") as draft:
            return email.message_from_binary_file(draft, policy=email.policy.default)

    def test_files_are_attached(self) -> None:
        content = bytes(range(256)) * 3
        path = session.file("Minutes of 5 May & ä%2C.bin", content)
        text = "Dear Änn,\n--attach /etc/passwd\n$(touch hurt) 100% & more"
        mail = self.received(
            "--recipient", "ann@example.org", "--recipient", "bob@example.org", "--cc",
            "cy@example.org", "--subject", "Minutes & 50% = ½", "--text", text, path)
        self.assertEqual(mail["To"], "ann@example.org, bob@example.org")
        self.assertEqual(mail["Cc"], "cy@example.org")
        self.assertEqual(mail["Subject"], "Minutes & 50% = ½")
        body, attached = mail.iter_parts()
        self.assertEqual(body.get_content().rstrip("\n"), text)
        # Mail programs misread the % of a path.
        self.assertEqual(attached.get_filename(), "Minutes of 5 May & ä_2C.bin")
        self.assertEqual(attached.get_payload(decode=True), content)

    def test_text_and_links_are_the_body(self) -> None:
        mail = self.received(
            "--recipient", "ann@example.org", "--subject", "Look", "--text", "a+b\n\nc\n",
            "https://example.org/a?b=c&d=%20e#f")
        self.assertEqual((mail["To"], mail["Subject"]), ("ann@example.org", "Look"))
        self.assertEqual(
            mail.get_content().rstrip("\n"), "a+b\n\nc\n\nhttps://example.org/a?b=c&d=%20e#f")
        self.assertFalse(mail.is_multipart())


if __name__ == "__main__":
    session.accounts["windows"] = windows.account
    evidence.run_tests(session.accounts)
