public import BinaryPropertyList
public import LinuxSystem
internal import PropertyListText
public import Xattr

/// The `x-document-source` attribute of one file, in all forms that a Linux file carries it.
///
/// Nothing is cached: each method looks at the present state of the file.
public struct DocumentSourceAttribute: Sendable {
  /// The forms of the attribute that `content` looks for.
  public enum Carriers: Sendable {
    /// The native one; a file without it costs one system call.
    case native
    /// All, which costs another system call where there is no native one.
    case all
  }

  let attributes: ExtendedAttributes

  public init(of file: FileReference) { attributes = ExtendedAttributes(of: file) }

  var path: FilePath { attributes.file.path }

  /// Reads the document source.
  ///
  /// The native attribute comes first; where it is missing or empty, Samba's stream form. A value
  /// with a trailing NUL is read without it. What is found in XML has the binary form.
  ///
  /// - Throws: `DocumentSourceError` where the kernel refuses, or the value is damaged.
  public func read() throws(DocumentSourceError) -> Finding { try read(listsFirst: false) }

  /// The same.
  ///
  /// - Parameter listsFirst: whether the file is asked for the names of its attributes first, which is
  ///   enough if it has none.
  package func read(listsFirst: Bool) throws(DocumentSourceError) -> Finding {
    let (stored, isBare) = try attempt(.read) { () throws(XattrError) in
      try search(listsFirst: listsFirst)
    }
    guard let stored else {
      return Finding(content: .none(.noAttribute), stored: nil, isBare: isBare)
    }
    do throws(DamagedValue) {
      return Finding(content: try Content(of: stored.bytes), stored: stored)
    } catch {
      if let bytes = Self.converted(stored.bytes), let content = try? Content(of: bytes) {
        return Finding(
          content: content, stored: StoredValue(carrier: stored.carrier, bytes: bytes))
      }
      throw DocumentSourceError(.read, path, .damaged(error))
    }
  }

  /// Reads some fields of the document source.
  ///
  /// This is for many files: no strings are made of fields that are not asked for. Those are
  /// checked and left out of the source.
  ///
  /// - Returns: the content of the value, and the carrier that holds it, if there is one.
  /// - Throws: `DocumentSourceError`, as `read` does.
  public func content(
    _ fields: DocumentSource.FieldSet, in carriers: Carriers
  ) throws(DocumentSourceError) -> (content: Content, carrier: SourceAttribute?) {
    var native: Result<Content, DamagedValue> = .success(.none(.noAttribute))
    _ = try attempt(.read) { () throws(XattrError) in
      try attributes.withValue(of: SourceAttribute.nativeName) { bytes in
        do throws(DamagedValue) {
          native = .success(try Content(fields, of: bytes))
        } catch {
          native = .failure(error)
        }
      }
    }
    let content: Content
    do throws(DamagedValue) {
      content = try native.get()
    } catch {
      if error.isOfXML {
        let finding = try read()
        return (finding.content.reduced(to: fields), finding.stored?.carrier)
      }
      throw DocumentSourceError(.read, path, .damaged(error))
    }
    guard content == .none(.noAttribute) || content == .none(.empty) else {
      return (content, .native)
    }
    if carriers == .native { return (content, content == .none(.empty) ? .native : nil) }
    let finding = try read()
    return (finding.content, finding.stored?.carrier)
  }

  /// The value as a binary property list, where it is one in XML that can be read.
  package static func converted(_ value: [UInt8]) -> [UInt8]? {
    // Most values are binary, and begin so.
    guard value.first != UInt8(ascii: "b"), AttributeValue.isXML(value) else { return nil }
    return XMLPropertyListReader.binary(value.last == 0 ? Array(value.dropLast()) : value)
  }

  /// Returns the bytes that `read` would interpret, or `nil` if the file has no carrier.
  ///
  /// An empty value is returned only if no other carrier has more.
  public func stored() throws(DocumentSourceError) -> StoredValue? {
    try attempt(.read) { () throws(XattrError) in try search().value }
  }

  /// - Returns: the value, and whether the file lists no attribute that anybody but the system gives.
  private func search(
    listsFirst: Bool = false
  ) throws(XattrError) -> (value: StoredValue?, isBare: Bool) {
    if listsFirst {
      var isBare = true
      if let carriers = try? listed(isBare: &isBare), carriers.isEmpty { return (nil, isBare) }
    }
    let native = try value(of: .native)
    if let native, !native.isEmpty { return (native, false) }
    var empty = native
    var isBare = true
    // The stream form is looked for in the list of names, since Samba's names differ in case.
    for stream in try listed(isBare: &isBare) where stream != .native {
      guard let value = try value(of: stream) else { continue }
      if !value.isEmpty { return (value, false) }
      empty = empty ?? value
    }
    return (empty, isBare)
  }

  /// The carriers that this file has, native first. Their values need not be readable.
  public func carriers() throws(DocumentSourceError) -> [SourceAttribute] {
    try carriers(for: .read)
  }

  func carriers(
    for operation: DocumentSourceError.Operation
  ) throws(DocumentSourceError) -> [SourceAttribute] {
    try attempt(operation) { () throws(XattrError) in try listed() }
  }

  /// The names of all attributes that hold the value, the native one first: those of the carriers,
  /// and those of forms that are not read, since no server or system writes them by default.
  package func forms() throws(DocumentSourceError) -> [AttributeName] {
    try attempt(.read) { () throws(XattrError) in try listedForms() }
  }

  /// The names that the file lists, native first.
  func listedForms() throws(XattrError) -> [AttributeName] {
    do throws(XattrError) {
      let names = try attributes.names(where: SourceAttribute.isForm)
      let native = SourceAttribute.nativeName
      return names.filter { $0 == native } + names.filter { $0 != native }
    } catch  where error.errno == .argumentListTooLong {
      return try listed().map(\.attributeName)
    }
  }

  func value(of carrier: SourceAttribute) throws(XattrError) -> StoredValue? {
    try attributes.value(of: carrier.attributeName).map { StoredValue(carrier: carrier, bytes: $0) }
  }

  /// The carriers by the names that the file lists, native first.
  func listed() throws(XattrError) -> [SourceAttribute] {
    var isBare = true
    return try listed(isBare: &isBare)
  }

  /// - Parameter isBare: becomes `false` where the file lists an attribute that anybody but the system gives.
  private func listed(isBare: inout Bool) throws(XattrError) -> [SourceAttribute] {
    do throws(XattrError) {
      let carriers = try attributes.names { name in
        isBare = isBare && !AttributeName.mayBeUsers(name)
        return SourceAttribute.mayBe(name)
      }.compactMap(SourceAttribute.init)
      guard carriers.count > 1, let native = carriers.firstIndex(of: .native) else {
        return carriers
      }
      return [.native] + carriers[..<native] + carriers[(native + 1)...]
    } catch  where error.errno == .argumentListTooLong {
      // More names than the kernel lists: the usual spellings can still be asked for.
      isBare = false
      return [.native, .sambaStream(SourceAttribute.sambaStreamName)]
    }
  }

  /// Adds the operation and the file to an error of the kernel.
  func attempt<Value>(
    _ operation: DocumentSourceError.Operation, _ body: () throws(XattrError) -> Value
  ) throws(DocumentSourceError) -> Value {
    do throws(XattrError) {
      return try body()
    } catch {
      throw DocumentSourceError(operation, path, .attribute(error))
    }
  }
}

/// The result of reading a file's document source.
public struct Finding: Hashable, Sendable {
  public let content: Content
  /// The value that was read; `nil` if the file carries none.
  public let stored: StoredValue?
  /// Whether the file is known to have no attribute but those of the system.
  package let isBare: Bool

  init(content: Content, stored: StoredValue?, isBare: Bool = false) {
    self.content = content
    self.stored = stored
    self.isBare = isBare
  }

  /// Decodes the stored value whole, keys that are not ours included.
  ///
  /// Flaws that the readers on Apple's systems pass over are passed over.
  ///
  /// - Throws: `DamagedValue` for damage anywhere in it, also where `content` did not look.
  public func value() throws(DamagedValue) -> PropertyList? {
    guard let stored else { return nil }
    return try AttributeValue.propertyList(stored.bytes)
  }
}

/// A document source that could not be read, written or removed: the file, what was tried, and why.
public struct DocumentSourceError: Error, Sendable, CustomStringConvertible {
  public enum Operation: String, Sendable {
    case read, write, remove
  }

  public enum Cause: Sendable {
    /// The kernel refused.
    case attribute(XattrError)
    /// The value is not a readable property list.
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

  /// What would allow a refused write. The command line, for example, names its own option.
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

  /// Whether the file system stores no user attributes: for a reader, a file there has none.
  package var isOfUnsupportedPlace: Bool {
    if case .attribute(let refusal) = cause { refusal.errno == .notSupported } else { false }
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

  package var reason: String {
    switch cause {
    case .attribute(let error): error.reason
    case .damaged(let damage): damage.description
    case .refused(let refused): "\(refused.field.key): \(refused.reason)"
    case .unencodable(let failure): failure.description
    case .noFieldLeft: "at least one field must remain"
    case .notDictionary: "the attribute does not hold a dictionary"
    case .request(let words): words
    }
  }

  public var description: String { "\(path): \(message)" }
}
