import Testing
import TextFormats

@testable import Watching

/// What command lines run.
@Suite struct CommandTargetTests {
  private static func target(_ line: String) -> CommandTarget? {
    CommandTarget.of(ExecLine(line).words)?.target
  }

  @Test(arguments: [
    ("/usr/bin/editor %U", CommandTarget.executable("/usr/bin/editor")),
    ("env -u C A=1 B= editor", .executable("editor")),
    ("/usr/bin/env -i nice -n 5 editor -n", .executable("editor")),
    ("sh -c \"exec editor --x\"", .executable("editor")), ("sh /opt/a.sh", .script("/opt/a.sh")),
    ("flatpak run --branch=stable --command=x org.a.b @@u %U @@", .flatpak("org.a.b")),
    ("snap run gimp", .snap("gimp")), ("python3 /opt/a.py %f", .script("/opt/a.py")),
    ("python3.11 -X dev -O -m a.b x", .script("-m a.b")),
    ("java -jar /opt/a.jar", .script("/opt/a.jar")),
    ("gjs /usr/bin/a", .script("/usr/bin/a")), ("pkexec --user root a", .executable("a")),
  ])
  func wrappersAndInterpretersAreSeenThrough(_ line: String, _ expected: CommandTarget) {
    #expect(Self.target(line) == expected)
  }

  @Test(arguments: [
    "", "env", "env A=1", "sh", "sh -c \"a; b\"", "sh -c \"a $(b)\"", "sh -c", "flatpak list",
    "flatpak run", "python3", "python3 -c x", "nice", "\"\"",
    "env env env env env env env env env env a",
  ])
  func linesThatTellOfNoProgramAreNone(_ line: String) {
    #expect(Self.target(line) == nil)
  }

  @Test(arguments: [
    ("bash", PlainProgram.shell), ("cp", .copier), ("x86_64-linux-gnu-gcc-12", .compiler),
    ("clang-16", .compiler), ("git", .versionControl), ("busybox", .shell), ("zsh-5.9", .shell),
    ("xdg-document-portal", .portal), ("sed", .tool), ("7z", .copier),
  ])
  func plainProgramsAreKnownByTheirNames(_ name: String, _ kind: PlainProgram) {
    #expect(PlainProgram(program: Array(name.utf8)[...]) == kind)
  }

  @Test(arguments: [
    "", "gedit", "bashful", "cpx", "-12", "3", "a-b-c-d", "GIT", "python3", "soffice.bin",
    "mousepad", "firefox-esr", "code",
  ])
  func otherProgramsAreNot(_ name: String) {
    #expect(PlainProgram(program: Array(name.utf8)[...]) == nil)
    #expect(PlainProgram(program: [0xff, 0xfe]) == nil)
  }
}
