"""Browsers that receive a file slowly, and give it another name when it is complete."""

import http.server, json, os, time

from desktop_session import Site, wait
from watch_session import expect_source, source


class _Slow(http.server.BaseHTTPRequestHandler):
    """Sends a file for longer than docsource asks for the name of one that was closed."""

    def do_GET(self):
        if not self.path.endswith(".bin"):
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Type", "application/octet-stream")
        self.send_header("Content-Length", "600000")
        self.end_headers()
        for _ in range(6):
            self.wfile.write(bytes(100_000))
            self.wfile.flush()
            time.sleep(1)

    def log_message(self, *words):
        pass


def _expect_download(session, docsource, file, **values):
    path = f"{session.home}/Documents/{file}"
    wait(lambda: os.path.exists(path) and os.path.getsize(path) == 600_000, f"the whole of {path}")
    expect_source(docsource, path, path=f"Documents/{file}", **values)


def download_with_firefox(session, docsource):
    profile = f"{session.home}/firefox"
    os.makedirs(profile)
    with open(f"{profile}/user.js", "w") as preferences:
        for name, value in {
            "browser.download.folderList": 2,
            "browser.download.dir": f"{session.home}/Documents",
            "browser.helperApps.neverAsk.saveToDisk": "application/octet-stream",
            "browser.aboutwelcome.enabled": False, "datareporting.policy.firstRunURL": "",
            "browser.shell.checkDefaultBrowser": False,
        }.items():
            preferences.write(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n")
    site = Site(_Slow)
    session.start("firefox-esr", "--no-remote", "--profile", profile, f"{site.root}/firefox.bin")
    _expect_download(session, docsource, "firefox.bin", identifier="firefox-esr",
                     name="Firefox ESR")
    site.shutdown()


def download_with_chromium(session, docsource):
    """The second file gets a name of its own."""
    profile = f"{session.home}/chromium"
    os.makedirs(f"{profile}/Default")
    with open(f"{profile}/Default/Preferences", "w") as preferences:
        json.dump({"download": {"default_directory": f"{session.home}/Documents",
                                "prompt_for_download": False}}, preferences)
    with open(f"{session.home}/Documents/slow.bin", "w"):
        pass
    site = Site(_Slow)
    session.start("chromium", "--no-sandbox", "--no-first-run", "--password-store=basic",
                  f"--user-data-dir={profile}", f"{site.root}/slow.bin")
    _expect_download(session, docsource, "slow (1).bin", identifier="chromium",
                     name="Chromium Web Browser")
    assert source(docsource, f"{session.home}/Documents/slow.bin") is None, "the other has a source"
    site.shutdown()
