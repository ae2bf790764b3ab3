import CXattr
import Glibc
import TestSupport
import Testing

/// The calls relative to a directory answer alike by either route: the kernel's *xattrat calls, and
/// openat with the descriptor's calls.
@Suite struct RouteTests {
  private static let name = "user.docsource.test"

  /// What a file answers to each call: counts, or negated errnos.
  private struct Answers: Equatable {
    var readBefore = 0, listBefore = 0, write: CInt = 0, create: CInt = 0, readAfter = 0
    var value: [UInt8] = []
    var short = 0, listAfter = 0, remove: CInt = 0, removeAgain: CInt = 0
  }

  private static func answers(
    _ directory: CInt, _ entry: String, _ links: cxattr_links, _ route: cxattr_route
  ) -> Answers {
    let entry = strdup(entry)
    defer { free(entry) }
    return answers(
      cxattr_file(directory: directory, path: entry, links: links, route: route, held: -1))
  }

  private static func answers(_ file: cxattr_file) -> Answers {
    var answers = Answers()
    var buffer = [UInt8](repeating: 0, count: 64)
    let value: [UInt8] = [1, 0, 255]
    answers.readBefore = cxattr_get(file, name, &buffer, 64)
    answers.listBefore = cxattr_list(file, nil, 0)
    answers.write = cxattr_set(file, name, value, 3, .create_or_replace)
    answers.create = cxattr_set(file, name, value, 3, .create)
    answers.readAfter = cxattr_get(file, name, &buffer, 64)
    answers.value = Array(buffer.prefix(max(0, answers.readAfter)))
    answers.short = cxattr_get(file, name, &buffer, 2)
    answers.listAfter = cxattr_list(file, nil, 0)
    answers.remove = cxattr_remove(file, name)
    answers.removeAgain = cxattr_remove(file, name)
    return answers
  }

  private static let ordinary = Answers(
    readBefore: -Int(ENODATA), listBefore: 0, write: 0, create: -EEXIST, readAfter: 3,
    value: [1, 0, 255], short: -Int(ERANGE), listAfter: 20, remove: 0, removeAgain: -ENODATA)
  private static let refusing = Answers(
    readBefore: -Int(ENODATA), listBefore: 0, write: -EPERM, create: -EPERM,
    readAfter: -Int(ENODATA), short: -Int(ENODATA), listAfter: 0, remove: -EPERM,
    removeAgain: -EPERM)
  private static let missing = Answers(
    readBefore: -Int(ENOENT), listBefore: -Int(ENOENT), write: -ENOENT, create: -ENOENT,
    readAfter: -Int(ENOENT), short: -Int(ENOENT), listAfter: -Int(ENOENT), remove: -ENOENT,
    removeAgain: -ENOENT)

  @Test(arguments: [cxattr_route.kernel, .open])
  func bothRoutesAnswerAlike(_ route: cxattr_route) throws {
    try #require(cxattr_best_route() == .kernel, "this kernel has no *xattrat calls")
    let directory = try TemporaryDirectory()
    try directory.file("file")
    symlink("file", directory.path("link"))
    symlink("nowhere", directory.path("dangling"))
    mkdir(directory.path("directory"), 0o700)
    mkfifo(directory.path("fifo"), 0o600)
    let here = open(directory.root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(here) }

    let expected: [(entry: String, links: cxattr_links, answers: Answers)] = [
      ("file", .nofollow, Self.ordinary), ("file", .follow, Self.ordinary),
      ("directory", .nofollow, Self.ordinary), ("link", .follow, Self.ordinary),
      ("link", .nofollow, Self.refusing), ("dangling", .nofollow, Self.refusing),
      ("dangling", .follow, Self.missing), ("fifo", .nofollow, Self.refusing),
      ("missing", .nofollow, Self.missing),
    ]
    for (entry, links, answers) in expected {
      #expect(
        Self.answers(here, entry, links, route) == answers, "\(entry), \(links), \(route)")
    }
  }

  @Test(arguments: [cxattr_route.kernel, .open])
  func directoryMayBeTheWorkingDirectory(_ route: cxattr_route) throws {
    let directory = try TemporaryDirectory()
    let path = try directory.file("file")
    #expect(Self.answers(AT_FDCWD, path, .nofollow, route) == Self.ordinary)
  }
  /// A held file is reached by its descriptor's name, in an open directory of these names or not.
  @Test(arguments: [false, true])
  func heldFileIsReachedByItsDescriptor(_ hasDirectory: Bool) throws {
    let directory = try TemporaryDirectory()
    try directory.file("file")
    symlink("file", directory.path("link"))
    let names = open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(names) }
    for (entry, expected) in [("file", Self.ordinary), ("link", Self.refusing)] {
      // O_PATH, which the Glibc module lacks.
      let flags = 0o10000000 | O_NOFOLLOW | O_CLOEXEC
      let held = open(directory.path(entry), flags)
      defer { close(held) }
      rename(directory.path(entry), directory.path("moved"))
      let answers = Self.answers(
        cxattr_file(
          directory: hasDirectory ? names : AT_FDCWD, path: nil, links: .follow, route: .held,
          held: held))
      #expect(answers == expected, "\(entry)")
      let observed = cxattr_observe(
        cxattr_file(
          directory: hasDirectory ? names : AT_FDCWD, path: nil, links: .follow, route: .held,
          held: held))
      let kind: cxattr_kind = entry == "link" ? .link : .regular
      #expect(observed == CInt(kind.rawValue))
    }
  }
}
