public import BinaryPropertyList
public import LinuxSystem
public import Xattr

/// A document source that could not be read, written or removed: the file, what was tried, and why.
public struct DocumentSourceError: Error, Sendable, CustomStringConvertible {
  public enum Operation: String, Sendable {
    case read, write, remove
  }

  public enum Cause: Sendable {
    /// The kernel refused.
    case attribute(XattrError)
    /// The value is no property list that can be read.
    case damaged(DamagedValue)
    /// A value must not be written.
    case refused(RefusedValue)
    /// The changed value has no encoding.
    case unencodable(EncodingFailure)
    /// The change would leave none of the four fields.
    case noFieldLeft
    /// The value to be changed is a property list, but no dictionary.
    case notDictionary
    /// Something else about the request, in the caller's words.
    case request(String)
  }

  /// What would let a refused write through. Each front has a word of its own for it.
  public enum Remedy: Hashable, Sendable {
    /// Starting from `SourceChange.Base.nothing`.
    case startingAfresh
    /// Removing the attribute.
    case removal
    /// `WritingRules.Schemes.any`.
    case anyScheme
  }

  public let path: FilePath
  public let operation: Operation
  public let cause: Cause

  init(_ operation: Operation, _ path: FilePath, _ cause: Cause) {
    self.operation = operation
    self.path = path
    self.cause = cause
  }

  /// A write that the caller refuses before it reaches the file.
  public init(writing path: FilePath, _ reason: String) {
    self.init(.write, path, .request(reason))
  }

  /// What was tried and why it failed, in words that follow the file's name.
  public var message: String { "cannot \(operation.rawValue) document source: \(reason)" }

  /// What the user can do about it, where that is known.
  public var remedy: Remedy? {
    switch cause {
    case .damaged: operation == .write ? .startingAfresh : nil
    case .notDictionary: .startingAfresh
    case .noFieldLeft: .removal
    case .refused(let refused): refused.remedy
    case .attribute, .unencodable, .request: nil
    }
  }

  private var reason: String {
    switch cause {
    case .attribute(let error): error.reason
    case .damaged(let damage): damage.description
    case .refused(let refused): "\(refused.field.key): \(refused.reason)"
    case .unencodable(let failure): failure.description
    case .noFieldLeft: "no field would be left"
    case .notDictionary: "the attribute holds no dictionary"
    case .request(let words): words
    }
  }

  public var description: String { "\(path): \(message)" }
}
