import CommandLineInterface

extension BulkChange {
  /// What the pages of verbs say that change files by it.
  static let manual = [
    """
    With --recursive several threads work, in any order; with --threads=1 the order is that of the \
    directories. At the end a line on standard error counts the files that were changed, unchanged \
    and failed; --quiet leaves it out. On a terminal that does not show a line for each file, how \
    far the work has come is shown after a second.
    """,
    """
    SIGHUP, SIGINT and SIGTERM end recursive work between two files: what has begun is finished, a \
    line says how many files are done, and the process ends by the signal. A second signal ends it \
    at once; even then no file is left half written. Doing the same again does the rest.
    """,
  ]

  static let failures = """
    Some file or directory cannot be read or written; standard error says which. The rest is done.
    """
}
