import Foundation
import Glibc
import TestSupport
import Testing

/// A dry run fails where the real one would, with the same words, and changes nothing.
@Suite struct DryRunTests {
  /// Runs a verb twice, first dry, and compares what it says on standard error, and its status.
  private static func expectSameFailure(
    _ verb: String, _ arguments: [String], of path: String, in directory: String? = nil,
    prefix: [String] = [], binary: String = Docsource.path, errors: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let before = try FileState(path)
    let dry = try Execution.run(prefix + [binary, verb, "-n"] + arguments, in: directory)
    #expect(try FileState(path) == before, sourceLocation: sourceLocation)
    let real = try Execution.run(prefix + [binary, verb] + arguments, in: directory)
    #expect(dry.errors == real.errors, sourceLocation: sourceLocation)
    #expect(dry.errors != "", sourceLocation: sourceLocation)
    if let errors { #expect(dry.errors == errors, sourceLocation: sourceLocation) }
    #expect(dry.text == "", sourceLocation: sourceLocation)
    #expect(dry.status == 2, sourceLocation: sourceLocation)
    #expect(real.status == 2, sourceLocation: sourceLocation)
  }

  @Test func kindsWithoutAttributesFail() throws {
    let directory = try TemporaryDirectory()
    mkfifo(directory.path("fifo"), 0o600)
    symlink("nowhere", directory.path("link"))
    for name in ["fifo", "/dev/null"] {
      try Self.expectSameFailure(
        "tag", ["--app-name", "x", name], of: directory.path("fifo"), in: directory.root,
        errors: "docsource: \(name): cannot write document source:"
          + " Linux stores user attributes only on regular files and directories\n")
    }
    try Self.expectSameFailure(
      "tag", ["--no-dereference", "--app-name", "x", "link"], of: directory.path("link"),
      in: directory.root,
      errors: "docsource: link: cannot write document source:"
        + " Linux does not store user attributes on symbolic links\n")
    let long = String(repeating: "directory/", count: 500) + "file"
    for verb in [["tag", "--app-name", "x"], ["remove"]] {
      let operation = verb[0] == "tag" ? "write" : "remove"
      try Self.expectSameFailure(
        verb[0], verb.dropFirst() + [long], of: directory.root,
        errors: "docsource: \(long): cannot \(operation) document source:"
          + " the file name is too long\n")
    }
  }

  @Test(
    .enabled(if: FileSystem.mayMount, "mounting needs root"),
    arguments: [
      (FileSystem.Kind.ext4, 4100, true), (.ext4, 5000, true), (.ext4, 3700, false),
      (.ext4, 66000, true), (.xfs, 60000, false), (.tmpfs, 66000, true), (.btrfs, 17000, true),
      (.btrfs, 15000, false),
    ])
  func roomIsTried(_ kind: FileSystem.Kind, _ length: Int, _ isTooLong: Bool) throws {
    let system = try FileSystem(kind)
    let path = system.path("file")
    #expect(try Execution.run(["cp", "/etc/hostname", path]).status == 0)
    #expect(try Docsource.tag(path).status == 0)
    let arguments = ["--document", String(repeating: "p", count: length), path]
    if isTooLong {
      try Self.expectSameFailure("tag", arguments, of: path)
    } else {
      let before = try [FileState(path), FileState(system.root)]
      #expect(try Execution.run([Docsource.path, "tag", "-n"] + arguments).status == 0)
      #expect(try [FileState(path), FileState(system.root)] == before)
      #expect(try Execution.run([Docsource.path, "tag"] + arguments).status == 0)
    }
  }

  /// The other attributes leave no space for a value that is small itself.
  @Test(.enabled(if: FileSystem.mayMount, "mounting needs root"))
  func roomThatOtherAttributesTakeIsTried() throws {
    let system = try FileSystem(.ext4)
    let path = system.path("file")
    let value = String(repeating: "a", count: 3900)
    #expect(try Execution.run(["cp", "/etc/hostname", path]).status == 0)
    #expect(try Execution.run(["setfattr", "-n", "user.other", "-v", value, path]).status == 0)
    let arguments = ["--document", String(repeating: "p", count: 150), path]
    try Self.expectSameFailure("tag", arguments, of: path)
  }

  @Test(.enabled(if: FileSystem.mayMount, "mounting needs root"))
  func fullDiskFailsWhereTheFileHasNoRoomLeft() throws {
    let system = try FileSystem(.ext4)
    let (plain, other) = (system.path("plain"), system.path("other"))
    #expect(try Execution.run(["touch", plain, other]).status == 0)
    // So much that it has a block, where room is left.
    let value = String(repeating: "a", count: 200)
    #expect(try Execution.run(["setfattr", "-n", "user.other", "-v", value, other]).status == 0)
    let filler = system.path("filler")
    let filling = DoctorCommandTests.filling
    #expect(try Execution.run(["python3", "-c", filling, filler]).status == 0)
    let arguments = ["--document", String(repeating: "p", count: 300)]
    try Self.expectSameFailure("tag", arguments + [plain], of: plain)
    let dry = try Execution.run([Docsource.path, "tag", "-n"] + arguments + [other])
    #expect(dry.text.hasPrefix("\(other): would tag: "))
    #expect(dry.status == 0)
    #expect(try Execution.run([Docsource.path, "tag", "-q"] + arguments + [other]).status == 0)
  }

  /// Every verb on what the kernel lets nobody write.
  @Test(
    .enabled(if: FileSystem.mayMount, "mounting needs root"), arguments: ["read-only", "+i", "+a"])
  func readOnlyMountsAndFlagsFail(_ obstacle: String) throws {
    let system = try FileSystem(.ext4)
    let (path, other) = (system.path("file"), system.path("other"))
    let manifest = try TemporaryDirectory()
    for path in [path, other] {
      #expect(try Execution.run(["cp", "/etc/hostname", path]).status == 0)
    }
    #expect(try Docsource.tag(path).status == 0)
    #expect(try Docsource.run("tag", "--app-name", "other", other).status == 0)
    #expect(
      try Execution.run(
        ["setfattr", "-n", "user.com.apple.quarantine", "-v", "0081;5;Safari;", path]
      ).status == 0)
    #expect(
      try Execution.run(
        ["setfattr", "-n", "user.DosStream.com.apple.metadata:kMDItemWhereFroms:$DATA", "-v", "x"]
          + [path]
      ).status == 0)
    let list = try Docsource.run("export", "other", in: system.root).text
    let listed = try manifest.file("list", list.replacing("\"other\"", with: "\"file\""))
    if obstacle == "read-only" {
      try system.makeReadOnly()
    } else {
      #expect(try Execution.run(["chattr", obstacle, path]).status == 0)
    }
    defer { _ = try? Execution.run(["chattr", "-ia", path]) }
    for (verb, arguments) in [
      ("tag", ["--app-name", "x", path]), ("remove", [path]), ("strip", [path]), ("adopt", [path]),
      ("copy", [other, path]), ("copy", ["--all-attributes", other, path]),
      ("import", ["--quiet", "--root", system.root, listed]),
      ("emit", ["--xdg", path]), ("emit", ["--zone", path]),
    ] {
      try Self.expectSameFailure(verb, arguments, of: path)
    }
  }

  /// The file beside the document, one that is replaced and one that is new.
  @Test(
    .enabled(if: FileSystem.mayMount, "mounting needs root"),
    arguments: [
      ("read-only", "the file system is mounted read-only"),
      ("+i .", "operation not permitted"), ("+i ._file", "operation not permitted"),
      ("full", "no space left on device"),
    ])
  func appleDoubleFileThatCannotBeWrittenFails(_ obstacle: String, _ reason: String) throws {
    let system = try FileSystem(.ext4)
    for name in ["file", "other"] {
      #expect(try Execution.run(["touch", name], in: system.root).status == 0)
      let mark = ["setfattr", "-n", "user.com.apple.quarantine", "-v", "0081;5;Safari;", name]
      #expect(try Execution.run(mark, in: system.root).status == 0)
    }
    #expect(try Docsource.run("emit", "-q", "--apple-double", "file", in: system.root).status == 0)
    #expect(try Docsource.tag(system.path("file")).status == 0)
    switch obstacle {
    case "read-only": try system.makeReadOnly()
    case "full":
      let filling = ["python3", "-c", DoctorCommandTests.filling, system.path("filler")]
      #expect(try Execution.run(filling).status == 0)
    default:
      let flag = ["chattr"] + obstacle.split(separator: " ").map(String.init)
      #expect(try Execution.run(flag, in: system.root).status == 0)
    }
    defer { _ = try? Execution.run(["chattr", "-i", ".", "._file"], in: system.root) }
    for name in ["file", "other"] where obstacle != "+i ._file" || name == "file" {
      try Self.expectSameFailure(
        "emit", ["--apple-double", name], of: system.path(name), in: system.root,
        errors: "docsource: \(name): cannot write ._\(name): \(reason)\n")
    }
  }

  @Test(.enabled(if: FileSystem.mayMount, "mounting needs root"))
  func fileSystemWithoutUserAttributesFails() throws {
    let system = try FileSystem(.ramfs)
    let path = system.path("file")
    let directory = try TemporaryDirectory()
    let source = try directory.file("source")
    #expect(try Docsource.run("tag", "--app-name", "x", source).status == 0)
    #expect(try Execution.run(["cp", "/etc/hostname", path]).status == 0)
    try Self.expectSameFailure(
      "tag", ["--app-name", "x", path], of: path,
      errors: "docsource: \(path): cannot write document source:"
        + " this file system does not store user attributes\n")
    try Self.expectSameFailure("copy", [source, path], of: path)
    try Self.expectSameFailure("copy", ["--all-attributes", source, path], of: path)
  }

  /// Mode and access control list, as the kernel weighs them.
  @Test(.enabled(if: FileSystem.mayMount, "changing the user needs root"))
  func otherUsersFilesFailUnlessTheKernelPermitsWriting() throws {
    let system = try FileSystem(.ext4)
    let path = system.path("file")
    #expect(try Execution.run(["cp", "/etc/hostname", path]).status == 0)
    #expect(try Docsource.tag(path).status == 0)
    chmod(system.root, 0o755)
    chmod(path, 0o644)
    let binary = system.path("docsource")
    #expect(try Execution.run(["cp", Docsource.path, binary]).status == 0)
    let user = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
    for (verb, arguments) in [
      ("tag", ["--app-name", "x", path]), ("remove", [path]), ("strip", [path]),
    ] {
      try Self.expectSameFailure(verb, arguments, of: path, prefix: user, binary: binary)
    }
    // user::rw-, user:65534:rw-, group::r--, mask::rw-, other::---
    let list = """
      import os, struct, sys
      entries = [(1, 6, -1), (2, 6, 65534), (4, 4, -1), (16, 6, -1), (32, 0, -1)]
      value = struct.pack('<I', 2) + b''.join(struct.pack('<HHi', *entry) for entry in entries)
      os.setxattr(sys.argv[1], 'system.posix_acl_access', value)
      """
    #expect(try Execution.run(["python3", "-c", list, path]).status == 0)
    let dry = try Execution.run(user + [binary, "tag", "-n", "--app-name", "x", path])
    #expect(dry.text.hasPrefix("\(path): would tag: "))
    #expect(dry.status == 0)
    #expect(try Execution.run(user + [binary, "tag", "-q", "--app-name", "x", path]).status == 0)
  }

  /// What a file beside holds can be taken only where the directory may be written.
  @Test(.enabled(if: FileSystem.mayMount, "changing the user needs root"))
  func carriersInADirectoryThatMayNotBeWrittenFail() throws {
    let system = try FileSystem(.ext4)
    let path = system.path("doc")
    #expect(try Execution.run(["cp", "/etc/hostname", path]).status == 0)
    let zone = system.path("doc:Zone.Identifier")
    try Data("[ZoneTransfer]\r\nZoneId=3\r\n".utf8).write(to: URL(filePath: zone))
    let binary = system.path("docsource")
    #expect(try Execution.run(["cp", Docsource.path, binary]).status == 0)
    for name in [path, zone] { #expect(chown(name, 65534, 65534) == 0) }
    let user = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
    // Not writable, and another user's where only owners remove.
    for mode: mode_t in [0o755, 0o1777] {
      chmod(system.root, mode)
      #expect(chown(zone, mode == 0o755 ? 65534 : 0, 0) == 0)
      let before = try FileState(zone)
      try Self.expectSameFailure(
        "strip", ["doc"], of: path, in: system.root, prefix: user, binary: binary)
      #expect(try FileState(zone) == before)
    }
    chmod(system.root, 0o777)
    let dry = try Execution.run(user + [binary, "strip", "-n", "doc"], in: system.root)
    #expect(dry.text == "doc: would remove: doc:Zone.Identifier\n")
    #expect(dry.status == 0)
    #expect(access(zone, F_OK) == 0)
  }
}
