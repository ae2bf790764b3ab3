import Foundation
import Glibc

/// A program that was run to its end: what it wrote and how it ended.
package struct Execution {
  package let output: [UInt8]
  package let errors: String
  /// The exit status, or 128 + the signal that ended it, as shells count.
  package let status: Int32

  /// Standard output as text; bytes that are not UTF-8 become U+FFFD.
  package var text: String { String(decoding: output, as: UTF8.self) }

  /// Runs a program found in PATH, arguments and all, and waits for its end.
  package static func run(
    _ arguments: [String], in directory: String? = nil, environment: [String: String] = [:],
    input: [UInt8] = []
  ) throws -> Execution {
    try run(arguments.map { Array($0.utf8) }, in: directory, environment: environment, input: input)
  }

  /// Runs a program whose arguments need not be UTF-8.
  package static func run(
    _ arguments: [[UInt8]], in directory: String? = nil, environment: [String: String] = [:],
    input: [UInt8] = []
  ) throws -> Execution {
    let streams = try TemporaryDirectory()
    let process = try RunningProcess(
      arguments, in: directory, environment: environment, input: input, streams: streams)
    let status = process.wait()
    return try Execution(
      output: streams.bytes("output"), errors: streams.text("errors"), status: status)
  }
}
