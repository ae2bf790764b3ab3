import Foundation
import TestSupport

/// What a walk in a process of its own met.
struct Visited {
  /// The walk did not come to its end.
  struct Failed: Error {
    let errors: String
  }

  /// `f PATH`, `d PATH` or `o PATH`, the path below the root, sorted.
  let entries: [String]
  /// `REASON: PATH`, sorted.
  let failures: [String]
  let bytes: [[UInt8]]
  let count: Int
  let failureCount: Int
  /// The peak of resident memory in KiB.
  let peak: Int
  /// The most descriptors that were open at once, where they were counted.
  let descriptors: Int

  /// - Parameters:
  ///   - options: of the program; see Tests/System/TreeVisitor.
  ///   - command: the beginning of a command that runs another one.
  init(_ root: String, _ options: String..., by command: [String] = []) throws {
    try self.init(
      Execution.run(command + [Self.program] + options + [root]), below: root)
  }

  init(_ execution: Execution, below root: String) throws {
    let numbers = execution.errors.split(whereSeparator: \.isWhitespace).map { Int($0) ?? -1 }
    guard execution.status == 0, numbers.count == 4 else {
      throw Failed(errors: execution.errors + execution.text)
    }
    (count, failureCount, peak, descriptors) = (numbers[0], numbers[1], numbers[2], numbers[3])
    bytes = execution.output.split(separator: 0).map(Array.init)
    let texts = bytes.map {
      String(decoding: $0, as: UTF8.self).replacingOccurrences(of: root + "/", with: "")
    }
    entries = texts.filter { !$0.hasPrefix("! ") }.sorted()
    failures = texts.filter { $0.hasPrefix("! ") }.map { String($0.dropFirst(2)) }.sorted()
  }

  static let program = Docsource.built("TreeVisitor")

  /// Whether tests that mount are to run: always in CI, where failing is better than skipping,
  /// otherwise where a mount namespace may be had.
  static let mayMount: Bool = {
    if ProcessInfo.processInfo.environment["CI"] == "true" { return true }
    let command = ["unshare", "--mount", "mount", "-t", "tmpfs", "none", "/mnt"]
    return (try? Execution.run(command).status) == 0
  }()

  /// Runs a shell script in a mount namespace of its own, which ends with it.
  ///
  /// In the script, `$1` is the root and `$2` the program.
  static func inNamespace(_ script: String, _ root: String) throws -> Execution {
    try Execution.run(["unshare", "--mount", "sh", "-euc", script, "sh", root, program])
  }
}
