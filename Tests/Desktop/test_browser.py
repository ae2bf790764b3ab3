"""A real browser, Dillo, gets what docsource hands over.

DESKTOP_INSTALLED names where docsource is installed, DESKTOP_KEPT where screenshots and logs go.
"""

import http.server
import json
import os
import shutil
import unittest
from typing import List

import windows
from desktop_session import DesktopSession, Site, wait

session = DesktopSession(os.environ["DESKTOP_INSTALLED"], os.environ["DESKTOP_KEPT"])
unittest.addModuleCleanup(session.close)

ENTRY = "/usr/share/applications/dillo.desktop"
LIST = f"{session.home}/.config/mimeapps.list"
# What would be another request if it were decoded, split or read by a shell on the way.
HARD = "/a%20b/%C3%A9;$(id)'x'/..x?q=1%262&r=%25%23&s=a+b,-x&t=~!*()"


class RecordingSite(Site):
    """Writes down what it is asked for."""

    def __init__(self) -> None:
        self.asked: List[str] = []
        self.browsers: List[str] = []
        super().__init__(Page)

    def next(self) -> str:
        """The next request, of which the first line is `GET TARGET HTTP/1.1`."""
        wait(lambda: self.asked, "a request of the browser")
        return self.asked.pop(0)


class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path != "/favicon.ico":
            self.server.asked.append(self.path)
            self.server.browsers.append(self.headers.get("User-Agent", ""))
        content = f"<title>Page {len(self.server.asked)}</title>Read".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *words: object) -> None:
        pass


def browsers() -> List[int]:
    """The processes of the browser that this session has started."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/environ", "rb") as environment:
                is_ours = f"HOME={session.home}".encode() in environment.read().split(b"\0")
            program = os.path.basename(os.readlink(f"/proc/{name}/exe"))
        except OSError:
            continue
        if is_ours and program.startswith(("dillo", "dpid")):
            found.append(int(name))
    return found


@unittest.skipUnless(os.path.exists(ENTRY), "dillo is not installed")
class BrowserTests(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls) -> None:
        # Debian's entry declares files alone. Registered for pages of the web as other browsers are.
        with open(ENTRY, encoding="utf-8") as file:
            entry = file.read()
        entry = entry.replace("dillo %F", "dillo %U").replace(
            "MimeType=", "MimeType=x-scheme-handler/http;x-scheme-handler/https;")
        session.file(".local/share/applications/dillo.desktop", entry.encode())
        session.run("update-desktop-database", f"{session.home}/.local/share/applications")
        shutil.rmtree(f"{session.home}/.dillo", ignore_errors=True)
        session.docsource("intent", "default", "set", "browser", "dillo")
        cls.site = RecordingSite()
        cls.addClassCleanup(cls.site.shutdown)

    def tearDown(self) -> None:
        for process in browsers():
            try:
                os.kill(process, 15)
            except ProcessLookupError:
                pass
        wait(lambda: not windows.titled("^Dillo:"), "the browser's end")

    def check(self, path: str) -> None:
        """Only this was asked for, and by Dillo."""
        self.assertEqual(self.site.next(), path)
        self.assertEqual(self.site.asked, [])
        self.assertIn("Dillo", self.site.browsers[-1])

    def test_default_is_that_of_the_desktop(self) -> None:
        with open(LIST, encoding="utf-8") as file:
            self.assertEqual(
                file.read(),
                "[Default Applications]\nx-scheme-handler/http=dillo.desktop\n"
                "x-scheme-handler/https=dillo.desktop\n")
        self.assertIn("dillo.desktop", session.run("gio", "mime", "x-scheme-handler/http"))

    def test_open_hands_the_address_over_as_it_is(self) -> None:
        url = self.site.root + HARD
        said = session.docsource("open", "--json", url)
        self.assertEqual(
            json.loads(said),
            {"files": [url], "identifier": "dillo", "name": "Dillo", "outcome": "opened"})
        self.check(HARD)

    def test_intent_hands_the_address_over_as_it_is(self) -> None:
        url = self.site.root + HARD
        said = session.docsource("intent", "perform", "--json", "openURL:", f"url={url}")
        self.assertEqual(json.loads(said), {
            "command": "openHttpURL:", "class": "browser", "identifier": "dillo", "name": "Dillo",
            "url": url, "outcome": "performed"})
        self.check(HARD)

    def test_page_that_stands_for_a_command_is_opened(self) -> None:
        catalogue = session.file("catalogue/INKMapsHandler.json", json.dumps({
            "fallbackUrls": {"searchForLocation:": f"{self.site.root}/search?query={{{{query}}}}"},
        }).encode())
        session.docsource(
            "intent", "perform", "--catalogue", catalogue, "searchForLocation:",
            "query=Brandenburg Gate & {{x}}/é")
        self.check("/search?query=Brandenburg%20Gate%20%26%20%7B%7Bx%7D%7D%2F%C3%A9")

    def test_file_is_shown(self) -> None:
        path = session.file(
            "pages/a b %41 'c'.html",
            f"<title>A file of ours</title><img src='{self.site.root}/seen'>".encode())
        said = session.docsource("open", path)
        self.assertEqual(said, f"{path}: opened in Dillo (dillo)\n")
        wait(lambda: windows.titled("A file of ours"), "the page's title")
        # What the document refers to.
        self.check("/seen")
        session.run(
            "import", "-window", "root", f"{session.kept}/browser-{self.id().rsplit('.')[-1]}.png")

    def test_values_never_become_options_of_the_browser(self) -> None:
        url = f"{self.site.root}/--help"
        session.docsource("open", url)
        self.check("/--help")


if __name__ == "__main__":
    unittest.main(verbosity=2)
