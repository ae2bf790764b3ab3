"""The websites of applications' makers."""

import re
import urllib.parse
from typing import Optional

from documentsource import Source

# Below these everybody has a domain of his own.
_SHARED = {
    "bitbucket.io", "codeberg.page", "github.com", "github.io", "gitlab.com", "gitlab.io",
    "netlify.app", "pages.dev", "sourceforge.io", "sourceforge.net", "sr.ht", "vercel.app",
}
_SECOND_LEVEL = {"ac", "co", "com", "edu", "gov", "net", "org"}


def _domain(identifier: str) -> Optional[str]:
    """The maker's domain, which an identifier begins with: org.example.editor is of example.org."""
    labels = identifier.lower().split(".")
    count = 2
    is_national = len(labels[0]) == 2 and len(labels) > 2 and labels[1] in _SECOND_LEVEL
    if is_national or ".".join(labels[1::-1]) in _SHARED:
        count = 3
    return ".".join(labels[count - 1::-1]) if len(labels) > count else None


def website(source: Source) -> Optional[str]:
    """The site that lists the icons of the application, if it is the maker's own by its name."""
    domain = _domain(source.identifier or "")
    try:
        url = urllib.parse.urlsplit(source.app_info_url or "")
        host, port = url.hostname, url.port
    except ValueError:
        return None
    if url.scheme != "https" or not host or not re.fullmatch(r"[a-z0-9.-]+", host):
        return None
    if domain is None or not (host == domain or host.endswith(f".{domain}")):
        return None
    return f"https://{host}/" if port in (None, 443) else f"https://{host}:{port}/"
