"""What tells why something did not come, when it happened where nobody can look."""

import os
import subprocess
import sys
import unittest
from typing import Callable, Dict

_LINES = 25
_THREADS = 12


def end_of(path: str) -> str:
    """The last lines of a log."""
    try:
        with open(path, encoding="utf-8", errors="replace") as log:
            lines = log.read().splitlines()
    except OSError as error:
        return f"not read: {error.strerror}"
    left_out = [f"({len(lines) - _LINES} lines before)"] if len(lines) > _LINES else []
    return "\n".join(left_out + [line[:300] for line in lines[-_LINES:]]) or "empty"


def state_of(process: subprocess.Popen) -> str:
    """Whether a process lives, and what its threads wait for."""
    if process.poll() is not None:
        return f"process {process.pid} has ended with {process.returncode}"
    threads = []
    for thread in sorted(os.listdir(f"/proc/{process.pid}/task"), key=int)[:_THREADS]:
        values = []
        for name in "comm", "wchan":
            try:
                with open(f"/proc/{process.pid}/task/{thread}/{name}", encoding="utf-8") as file:
                    values.append(file.read().strip())
            except OSError:  # it has just ended, or this is not for everybody
                values.append("?")
        threads.append(" in ".join(values))
    return f"process {process.pid} lives: {', '.join(threads)}"


def tell(accounts: Dict[str, Callable[[], str]]) -> None:
    """Prints what each account says now."""
    for name, account in accounts.items():
        try:
            text = account()
        except Exception as error:  # the others may know more
            text = f"not known: {error!r}"
        print(f"-- {name}:", *text.splitlines(), sep="\n   ", file=sys.stderr)
    sys.stderr.flush()


class TellingResult(unittest.TextTestResult):
    """Prints the accounts once a test has failed, as long as all is as it was then."""

    accounts: Dict[str, Callable[[], str]] = {}

    def addError(self, test: unittest.TestCase, err: tuple) -> None:
        super().addError(test, err)
        self._tell(err)

    def addFailure(self, test: unittest.TestCase, err: tuple) -> None:
        super().addFailure(test, err)
        self._tell(err)

    def addSubTest(
        self, test: unittest.TestCase, subtest: unittest.TestCase, err: "tuple | None",
    ) -> None:
        super().addSubTest(test, subtest, err)
        if err:
            self._tell(err)

    def _tell(self, error: tuple) -> None:
        print(f"-- {error[1]}", file=sys.stderr)
        tell(self.accounts)


def run_tests(accounts: Dict[str, Callable[[], str]]) -> None:
    """Runs the tests of the program."""
    TellingResult.accounts = accounts
    unittest.main(testRunner=unittest.TextTestRunner(verbosity=2, resultclass=TellingResult))
