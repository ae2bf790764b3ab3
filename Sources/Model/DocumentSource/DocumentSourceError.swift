public import BinaryPropertyList
public import LinuxSystem
public import Xattr

/// A document source that could not be read, written or removed: the file, what was tried, and why.
public struct DocumentSourceError: Error, Sendable {
  /// What was being done.
  public enum Operation: String, Sendable {
    case read, write, remove
  }

  /// Why it failed.
  public enum Cause: Sendable {
    /// The kernel refused.
    case attribute(XattrError)
    /// The value is no property list that can be read.
    case damaged(DamagedValue)
    /// A value must not be written.
    case refused(RefusedValue)
    /// The changed value has no encoding.
    case unencodable(EncodingFailure)
    /// Something else about the request, in words.
    case request(String)
  }

  public let path: FilePath
  public let operation: Operation
  public let cause: Cause

  init(_ operation: Operation, _ path: FilePath, _ cause: Cause) {
    self.operation = operation
    self.path = path
    self.cause = cause
  }

  /// A write that was refused before it reached the file.
  public init(writing path: FilePath, _ reason: String) {
    self.init(.write, path, .request(reason))
  }

  /// What was tried and why it failed, in words that follow the file's name.
  public var message: String { "cannot \(operation.rawValue) document source: \(reason)" }

  private var reason: String {
    switch cause {
    case .attribute(let error): error.reason
    case .damaged(let damage):
      damage.description + (operation == .write ? "; --replace starts afresh" : "")
    case .refused(let refused): "\(refused.field.key): \(refused.reason)"
    case .unencodable(let failure): failure.description
    case .request(let words): words
    }
  }
}

extension DocumentSourceError: CustomStringConvertible {
  public var description: String { "\(path): \(message)" }
}
