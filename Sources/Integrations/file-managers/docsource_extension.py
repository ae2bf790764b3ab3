"""Shows in Nautilus, Nemo, Caja and Thunar which application a file came from.

One extension serves all four file managers. It adds a column, emblems, a properties page and
context menu entries, as far as the file manager supports them. The separate program
docsource-dialog changes files and lets the user choose an application.

The extension never waits for the network, for another process or for a file system that depends on
them, and never lets an exception escape. If DOCSOURCE_FILE_MANAGER_LOG is set to the path of a
file, the extension appends what it tells the file manager to that file, one JSON object per line.

File managers load each copy of this file that they find, for instance of a package below /usr and
of `make install` below /usr/local, into one interpreter. The first copy registers the extension,
the others nothing. They are installed under different names: a file manager registers what a
module has once for each file of its name, without running it anew.
"""

import os
import sys

if "docsource_desktop" not in sys.modules:
    sys.path.append(os.path.dirname(os.path.realpath(__file__)))
    from docsource_desktop.extension import DocumentSourceExtension  # noqa: F401
