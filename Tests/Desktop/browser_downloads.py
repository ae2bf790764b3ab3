"""Chromium and Firefox, which download from a server of the test, and what trace says of files."""

import concurrent.futures, glob, hashlib, http.server, itertools, json, os, re, shutil, signal
import sqlite3, ssl, subprocess, tempfile, threading, time, urllib.parse

from desktop_session import Site, wait, wait_briefly
from watch_session import matches

# Seconds between the end of a download and a trace that names it.
LIMIT = 2.0
COUNT = 100
TRACES = 1000
CONTENT = b"content\n" * 5000
CUT = len(CONTENT) // 2


def content_of(name):
    """A file with a number for a name has a length of its own."""
    return CONTENT + bytes(int(name)) if name.isdigit() else CONTENT


_CLICKING = """<!DOCTYPE html><title>The page</title><a id=link href="{}">A link</a>
<script>addEventListener("load", () => setTimeout(() => link.click(), 200))</script>"""
_BLOB = """<!DOCTYPE html><title>The page</title><a id=link>A link</a><script>
link.href = URL.createObjectURL(new Blob(["content\\n".repeat(5000)]))
link.download = "made.bin"
addEventListener("load", () => setTimeout(() => link.click(), 200))</script>"""
# The second part begins when the site answers; the address has the milliseconds between downloads.
_MANY = f"""<!DOCTYPE html><title>The page</title><a id=link download>A link</a><script>
function begin(name) {{ link.href = `/files/${{name}}.bin`; link.click() }}
addEventListener("load", () => setTimeout(async () => {{
  begin("earlier")
  await fetch("/held")
  for (let number = 1; number <= {COUNT}; number++) {{
    begin(number)
    await new Promise(resolve => setTimeout(resolve, location.hash.slice(1)))
  }}
}}, 200))</script>"""


class _Page(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.server.asked.append((self.path, self.headers.get("Range")))
        name = self.path.rpartition("/")[2]
        if self.path.startswith("/files/"):
            self.send_file({"ETag": '"1"'})
        elif self.path == "/attached":
            attached = f"attachment; filename*=UTF-8''{urllib.parse.quote('Über uns.bin')}"
            self.send_file({"Content-Disposition": attached})
        elif self.path == "/held":
            self.server.is_released.wait(60)
            self.send(200, b"")
        elif self.path == "/go":
            self.send(302, b"", {"Location": "/files/moved.bin"})
        elif self.path.startswith("/page/"):
            text = {
                "go": _CLICKING.format("/go"), "attached": _CLICKING.format("/attached"),
                "blob": _BLOB, "many": _MANY,
            }.get(name) or _CLICKING.format(f"/files/{name}.bin")
            self.send(200, text.encode(), {"Content-Type": "text/html"})
        else:
            self.send(404, b"")

    def send(self, status, content, headers={}):
        self.send_response(status)
        for header in {"Content-Length": str(len(content)), **headers}.items():
            self.send_header(*header)
        self.end_headers()
        self.wfile.write(content)

    def send_file(self, headers):
        """What is asked for without a range ends in the middle if its name is `cut.bin`."""
        content = content_of(self.path.rpartition("/")[2].removesuffix(".bin"))
        headers = {"Content-Type": "application/octet-stream", "Accept-Ranges": "bytes", **headers}
        part = self.headers.get("Range")
        if part:
            start = int(part.removeprefix("bytes=").partition("-")[0])
            headers["Content-Range"] = f"bytes {start}-{len(CONTENT) - 1}/{len(CONTENT)}"
            self.send(206, CONTENT[start:], headers)
        elif self.path.endswith("/cut.bin"):
            self.send(200, CONTENT[:CUT], {**headers, "Content-Length": str(len(CONTENT))})
            self.wfile.flush()
            time.sleep(1)  # the browser stores what it has
            self.close_connection = True
        else:
            self.send(200, content, headers)

    def log_message(self, *words):
        pass


class SecureSite(Site):
    """A server with a certificate of its own, and what it was asked for: paths and ranges."""

    def __init__(self, directory):
        self.certificate = f"{directory}/certificate.pem"
        key = f"{directory}/key.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-days", "2", "-subj", "/CN=docsource tests", "-addext",
             "subjectAltName=IP:127.0.0.1", "-newkey", "ec", "-pkeyopt",
             "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", key, "-out", self.certificate],
            check=True, stderr=subprocess.DEVNULL)
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(self.certificate, key)
        self.asked = []
        self.is_released = threading.Event()
        super().__init__(_Page)

    def get_request(self):
        connection, address = super().get_request()
        # The handshake is left to the thread of the request.
        return self.context.wrap_socket(
            connection, server_side=True, do_handshake_on_connect=False), address

    def handle_error(self, *connection):
        """Browsers connect without a request, and disconnect."""

    @property
    def root(self):
        return f"https://127.0.0.1:{self.server_port}"

    @property
    def fingerprint(self):
        with open(self.certificate) as file:
            content = ssl.PEM_cert_to_DER_cert(file.read())
        return hashlib.sha256(content).digest().hex(":").upper()


# What SQLite, Chromium and Firefox say of a database that another process has locked.
_LOCK = re.compile("(sql|database|storage).*(locked|busy)", re.IGNORECASE)


class Browser:
    """A browser with new profiles in the session's home directory, and the site for it."""

    def __init__(self, session, docsource, site):
        self.session = session
        self.docsource = docsource
        self.site = site
        self.root = f"{session.home}/{self.directory}"
        self.downloads = f"{session.home}/Downloads"
        self.documents = f"{session.home}/Documents"
        self.processes = []
        self.expected = []
        self.notes = []
        site.asked.clear()
        site.is_released.clear()
        self.begun = os.path.getsize(session.errors.name)
        data = f"{session.home}/.local/share"
        for directory in self.root, self.downloads, self.documents, data:
            shutil.rmtree(directory, ignore_errors=True)
            os.makedirs(directory)
        session.accounts["what the databases have"] = self.account
        session.accounts["what was asked for"] = lambda: "\n".join(map(str, site.asked[-20:]))

    def open(self, page, *options, profile=None, prompts=False):
        """Starts the browser with a page of the site."""
        profile = profile or self.profiles[0]
        if not os.path.exists(f"{self.root}/{profile}"):
            os.makedirs(f"{self.root}/{profile}")
            self.prepare(f"{self.root}/{profile}", prompts)
        self.processes.append(self.session.start(
            *self.command, *self.choice(profile), *options, f"{self.site.root}{page}"))

    def close(self):
        """Closes its window, with which it ends."""
        self.session.window("The page")
        self.session.press("alt+F4")
        wait(lambda: not self.running(), f"the end of {self.name}")

    def end(self):
        """Ends the browser, which has met no lock; what trace has said of downloads holds."""
        for process in self.processes:
            process.send_signal(signal.SIGTERM)
            process.wait(20)
        wait(lambda: not self.running(), f"the end of {self.name}")
        if self.expected:
            self.check(self.expected)
        with open(self.session.errors.name, errors="replace") as log:
            log.seek(self.begun)
            lines = [line for line in log if _LOCK.search(line)]
        if lines:
            raise SystemExit(f"{self.name} has met a lock: {lines}")

    def running(self):
        """Its processes, by their sessions, and their states."""
        leaders = {process.pid for process in self.processes}
        found = {}
        for process in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{process}/stat") as file:
                    state, _, _, leader = file.read().rpartition(")")[2].split()[:4]
            except OSError:  # it has just ended
                continue
            if int(leader) in leaders and state != "Z":
                found[int(process)] = state
        return found

    def files(self):
        """The files of all its databases: with logs, journals and shared memory."""
        return sorted(glob.glob(f"{glob.escape(self.root)}/*/{self.database}*"))

    def state(self):
        """The bytes and times of the databases, and what is in the profiles."""
        state = {}
        for profile in {os.path.dirname(file) for file in self.files()}:
            for entry in os.scandir(profile):
                status = entry.stat(follow_symlinks=False)
                state[entry.path] = status.st_size, status.st_mtime_ns, status.st_ctime_ns
        logs = glob.glob(f"{glob.escape(self.root)}/*/shared_proto_db/*.log")
        for file in self.files() + logs:
            status = os.stat(file)
            state.setdefault(file, (status.st_size, status.st_mtime_ns, status.st_ctime_ns))
            with open(file, "rb") as content:
                state[file] += hashlib.sha256(content.read()).hexdigest(),
        return state

    def stop(self):
        """Stops all its processes."""
        for process in self.running():
            os.kill(process, signal.SIGSTOP)
        wait(lambda: all(state == "T" for state in self.running().values()), "the stop")

    def go_on(self):
        for process in self.running():
            os.kill(process, signal.SIGCONT)

    def account(self):
        """What the databases have, by copies."""
        lines = []
        with tempfile.TemporaryDirectory() as directory:
            for file in self.files():
                lines.append(f"{file}: {os.path.getsize(file)} bytes")
                name = file.removeprefix(self.root).replace("/", "_")
                shutil.copy(file, f"{directory}/{name}")
            for name in glob.glob(f"{directory}/*{self.database}"):
                with sqlite3.connect(name) as database:
                    lines += map(str, database.execute(self.statement))
        return "\n".join(lines)

    def trace(self, path):
        """What the browser has recorded of a file; nothing if there is no record."""
        return self.traces([path])[0]

    def traces(self, paths):
        trace = subprocess.run([self.docsource, "trace", "--json", "--no-embedded", *paths], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
        errors = [line for line in trace.stderr.splitlines()
                  if not line.endswith("no mark of origin")]
        if trace.returncode not in (0, 1) or errors:
            raise SystemExit(f"trace has failed with {trace.returncode}: {trace.stderr}")
        found = []
        for answer in map(json.loads, trace.stdout.splitlines()):
            records = [m["value"] for m in answer["marks"] if m["mark"] == "download-record"]
            found.append({"origin": answer["origin"].get("url"), **records[0]} if records else None)
        return found

    def save_as(self, path):
        """Types a path when the browser asks for it."""
        self.session.window(self.dialog)
        self.session.press("ctrl+a")
        self.session.type(path)
        self.session.press("Return")

    def check(self, expected):
        """Ends the test if trace says something else of files."""
        for found, (path, values) in zip(self.traces([path for path, _ in expected]), expected):
            if not (found is None if values is None else matches(found, values)):
                raise SystemExit(f"{path}: {found}, not {values}")

    def is_whole(self, path):
        size = len(content_of(os.path.basename(path).removesuffix(".bin")))
        return os.path.exists(path) and os.path.getsize(path) == size

    def wait_for(self, path):
        """Waits for the whole of a file, and returns when it got its name."""
        wait(lambda: self.is_whole(path), f"the whole of {path}")
        return os.stat(path).st_ctime

    def expect(self, path, **values):
        """Waits for the whole of a file, and for the trace that says this of it."""
        end = self.wait_for(path)
        values = {"path": path, "match": "path", **values}
        found = []

        def is_named():
            found.append(self.trace(path))
            return matches(found[-1], values)

        is_found = wait_briefly(is_named, LIMIT)
        delay = time.time() - end
        if not is_found or delay > LIMIT:
            raise SystemExit(f"{path}: {delay:.2f} s after its end {found[-1]}, not {values}")
        self.notes.append(f"{delay:.2f} s")
        self.expected.append((path, values))

    def expect_none(self, path):
        """No trace of a file names a download, now or when the browser has closed its window."""
        self.wait_for(path)
        wait_briefly(lambda: self.trace(path), LIMIT)
        self.expected.append((path, None))
        self.check(self.expected)
        self.close()


class Chromium(Browser):
    name = "chromium"
    directory = ".config/chromium"
    profiles = "Default", "Profile 1"
    database = "History"
    names = {"History", "History-journal"}
    # So that COUNT downloads take as long as TRACES traces.
    pause = 120
    command = ("chromium", "--no-sandbox", "--no-first-run", "--password-store=basic",
               "--ignore-certificate-errors", "--enable-logging=stderr")
    private = "--incognito"
    asks_in_private = True
    records_blobs = True
    dialog = "All Files|Save"
    statement = """SELECT id, state, target_path, total_bytes, tab_url, referrer, url
        FROM downloads LEFT JOIN downloads_url_chains USING (id)"""

    def prepare(self, profile, prompts):
        with open(f"{profile}/Preferences", "w") as preferences:
            json.dump({
                "download": {"default_directory": self.downloads, "prompt_for_download": prompts},
                "profile": {"default_content_setting_values": {"automatic_downloads": 1}},
            }, preferences)

    def choice(self, profile):
        return [f"--profile-directory={profile}"]

    def resume(self):
        """It does so by itself."""


class Firefox(Browser):
    name = "firefox"
    directory = ".mozilla/firefox"
    profiles = "one", "two"
    database = "places.sqlite"
    # As it locks the database for itself, the index of the log is in its memory: no -shm.
    names = {"places.sqlite", "places.sqlite-wal"}
    pause = 250
    command = "firefox-esr", "--no-remote"
    private = "--private-window"
    asks_in_private = False
    # Its history has no addresses that begin with blob:, and thus none of their downloads.
    records_blobs = False
    dialog = "Save|Enter name"
    statement = """SELECT p.url, n.name, a.content FROM moz_annos a
        JOIN moz_places p ON p.id = a.place_id
        JOIN moz_anno_attributes n ON n.id = a.anno_attribute_id"""

    def prepare(self, profile, prompts):
        with open(f"{self.root}/profiles.ini", "w") as profiles:
            profiles.write("[General]\nVersion=2\nStartWithLastProfile=1\n")
            for number, name in enumerate(self.profiles):
                profiles.write(f"\n[Profile{number}]\nName={name}\nIsRelative=1\nPath={name}\n")
        with open(f"{profile}/user.js", "w") as preferences:
            for name, value in {
                "browser.download.folderList": 2, "browser.download.dir": self.downloads,
                "browser.download.useDownloadDir": not prompts,
                "browser.aboutwelcome.enabled": False, "browser.shell.checkDefaultBrowser": False,
                "datareporting.policy.dataSubmissionPolicyBypassNotification": True,
                # Errors of the browser's own, such as those of its databases, on standard output.
                "devtools.console.stdout.chrome": True,
            }.items():
                preferences.write(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n")
        # The site's certificate, in private windows as well, by the SHA-256 of it.
        with open(f"{profile}/cert_override.txt", "w") as exceptions:
            for kind in "", "^privateBrowsingId=1":
                exceptions.write(f"127.0.0.1:{self.site.server_port}:{kind}\t"
                                 f"OID.2.16.840.1.101.3.4.2.1\t{self.site.fingerprint}\t\n")

    def choice(self, profile):
        return ["-P", profile]

    def resume(self):
        """In the list of downloads, Return tries again what has failed.

        The first time it does so from the start: of what has failed only once, no part is kept.
        """
        self.session.dialog("The page", "ctrl+shift+y", "Library")

        def has_resumed():
            self.session.window("Library")
            self.session.press("Home", "Return")
            return wait_briefly(lambda: any(part for _, part in self.site.asked), 3)

        wait(has_resumed, "the second part")


def follow_a_redirect(browser):
    browser.open("/page/go")
    last = f"{browser.site.root}/files/moved.bin"
    first = f"{browser.site.root}/go" if browser.name == "chromium" else last
    browser.expect(f"{browser.downloads}/moved.bin", url=last, origin=last, firstURL=first,
                   page=f"{browser.site.root}/page/go")


def receive_an_attachment(browser):
    browser.open("/page/attached")
    url = f"{browser.site.root}/attached"
    browser.expect(f"{browser.downloads}/Über uns.bin", url=url, origin=url, firstURL=url,
                   page=f"{browser.site.root}/page/attached")


def save_what_a_page_makes(browser):
    browser.open("/page/blob")
    page = f"{browser.site.root}/page/blob"
    path = f"{browser.downloads}/made.bin"
    if browser.records_blobs:
        browser.expect(path, origin=page, page=page)
    else:
        browser.expect_none(path)


def save_under_another_name(browser):
    browser.open("/page/saved", prompts=True)
    path = f"{browser.documents}/another name.bin"
    browser.save_as(path)
    url = f"{browser.site.root}/files/saved.bin"
    browser.expect(path, url=url, origin=url, page=f"{browser.site.root}/page/saved")


def use_two_profiles(browser):
    def expect(name):
        url = f"{browser.site.root}/files/{name}.bin"
        browser.expect(f"{browser.downloads}/{name}.bin", url=url, origin=url,
                       page=f"{browser.site.root}/page/{name}")

    first, second = browser.profiles
    browser.open("/page/first", profile=first)
    browser.wait_for(f"{browser.downloads}/first.bin")
    with concurrent.futures.ThreadPoolExecutor() as threads:
        is_first_named = threads.submit(expect, "first")
        browser.open("/page/second", profile=second)
        expect("second")
        is_first_named.result()


def resume_a_download(browser):
    browser.open("/page/cut")
    wait(lambda: ("/files/cut.bin", None) in browser.site.asked, "the first part")
    browser.resume()
    url = f"{browser.site.root}/files/cut.bin"
    browser.expect(f"{browser.downloads}/cut.bin", url=url, origin=url,
                   page=f"{browser.site.root}/page/cut")
    assert ("/files/cut.bin", f"bytes={CUT}-") in browser.site.asked, "not resumed"


def close_the_window_at_once(browser):
    """What a browser has not yet written, it writes then."""
    browser.open("/page/last")
    path = f"{browser.downloads}/last.bin"
    browser.wait_for(path)
    browser.close()
    browser.expected.append((path, {"url": f"{browser.site.root}/files/last.bin"}))


def kill_the_browser_at_once(browser):
    """What it has not yet written to its database is named all the same, also when it runs again."""
    browser.open("/page/killed")
    path = f"{browser.downloads}/killed.bin"
    url = f"{browser.site.root}/files/killed.bin"
    browser.expect(path, url=url, origin=url, page=f"{browser.site.root}/page/killed")
    for process in browser.running():
        os.kill(process, signal.SIGKILL)
    wait(lambda: not browser.running(), f"the end of {browser.name}")
    browser.check(browser.expected)
    browser.open("/page/later")
    browser.expect(f"{browser.downloads}/later.bin", url=f"{browser.site.root}/files/later.bin")
    browser.check(browser.expected)


def leave_no_record_of_private_windows(browser):
    browser.open("/page/private", browser.private)
    path = f"{browser.downloads}/private.bin"
    if browser.asks_in_private:
        browser.save_as(path)
    browser.expect_none(path)


def leave_the_profile_as_it_is(browser):
    """While the browser is stopped, nobody but docsource could write to it."""
    browser.open("/page/idle")
    browser.expect(f"{browser.downloads}/idle.bin", url=f"{browser.site.root}/files/idle.bin")
    browser.stop()
    try:
        before = browser.state()
        for _ in range(10):
            browser.check(browser.expected)
        after = browser.state()
    finally:
        browser.go_on()
    names = {os.path.basename(file) for file in browser.files()}
    assert names == browser.names, f"the databases are {names}"
    changed = {name for name in {*before, *after} if before.get(name) != after.get(name)}
    assert not changed, f"{changed} are not what they were"


def trace_beside_many_downloads(browser):
    """All the while, trace names a download that was recorded earlier."""
    browser.open(f"/page/many#{browser.pause}")
    earlier = f"{browser.downloads}/earlier.bin"
    browser.expect(earlier, url=f"{browser.site.root}/files/earlier.bin")
    urls = {f"{browser.downloads}/{number}.bin": f"{browser.site.root}/files/{number}.bin"
            for number in range(1, COUNT + 1)}
    has_ended = threading.Event()

    def trace_all():
        """Until all downloads have ended, and often enough; returns how long each trace took."""
        durations = []
        for path, url in itertools.cycle(urls.items()):
            begun = time.monotonic()
            browser.check(browser.expected)
            durations.append(time.monotonic() - begun)
            if os.path.exists(path):
                begun = time.monotonic()
                found = browser.trace(path)
                durations.append(time.monotonic() - begun)
                if found and not matches(found, {"url": url}):
                    raise SystemExit(f"{path}: {found}, not {url}")
            if has_ended.is_set() and len(durations) >= TRACES:
                return durations

    with concurrent.futures.ThreadPoolExecutor() as threads:
        tracing = threads.submit(trace_all)
        browser.site.is_released.set()
        begun = time.monotonic()
        try:
            for path in urls:
                wait(lambda: tracing.done() or browser.is_whole(path), f"the whole of {path}")
            seconds = time.monotonic() - begun
        finally:
            has_ended.set()
        durations = tracing.result()
    wait_briefly(lambda: browser.trace(path), LIMIT)
    browser.expected += [(path, {"path": path, "url": url}) for path, url in urls.items()]
    browser.check(browser.expected)
    browser.notes.append(
        f"{COUNT} downloads in {seconds:.1f} s, {len(durations)} traces in {sum(durations):.1f} s, "
        f"the longest {max(durations) * 1000:.0f} ms")
