internal import BinaryPropertyList
internal import Glibc
package import LinuxSystem
package import Xattr

/// Writes the same source to many files.
///
/// This is the fastest way to do so: two system calls for each file, and no allocation.
package struct SourceStamp: Sendable {
  /// What became of a file.
  package enum Outcome {
    case changed, unchanged
    /// Nothing was done: the native attribute, the file's only carrier, has this other value.
    case holds([UInt8])
    /// Nothing was done: the file has other carriers, or the kernel refuses.
    case other
  }

  /// The source that the files have afterwards.
  package let source: DocumentSource
  // Copies, since each use of a static property checks whether it is initialised.
  private let name = SourceAttribute.nativeName
  private let nameBytes = Array(SourceAttribute.nativeName.bytes)
  private let value: [UInt8]

  /// `nil` where the change gives no source to a file without one.
  package init?(_ change: PreparedChange) {
    guard let write = change.writeToUntagged, let value = write.values.first else { return nil }
    source = write.source
    self.value = value.bytes
  }

  /// Tags a file that has no source yet.
  ///
  /// For `holds` and `other`, `DocumentSourceAttribute` does the rest, and says what is wrong.
  package func apply(to file: borrowing EntryReference) -> Outcome {
    var hasNative = false
    var hasOther = false
    let isListed = ExtendedAttributes.forEachName(of: file) { name in
      if Self.isEqual(name, nameBytes) {
        hasNative = true
      } else if SourceAttribute.mayBe(name) {
        hasOther = true
      }
    }
    guard isListed, !hasOther else { return .other }
    guard hasNative else {
      return ExtendedAttributes.set(name, to: value, of: file) ? .changed : .other
    }
    var outcome = Outcome.unchanged
    let isThere = ExtendedAttributes.read(name, of: file) { bytes in
      guard unsafe !Self.isEqual(bytes.bytes, value) else { return }
      outcome = .holds(unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) })
    }
    return isThere == true ? outcome : .other
  }

  private static func isEqual(_ bytes: RawSpan, _ wanted: [UInt8]) -> Bool {
    guard bytes.byteCount == wanted.count else { return false }
    return unsafe bytes.withUnsafeBytes { bytes in
      unsafe wanted.withUnsafeBytes { wanted in
        guard let one = bytes.baseAddress, let other = wanted.baseAddress else { return true }
        return unsafe memcmp(one, other, wanted.count) == 0
      }
    }
  }
}

/// Finds out for many files whether they have a source in the native attribute.
///
/// This is the fastest way to do so: one system call for each file, and no allocation.
package struct SourceProbe: Sendable {
  // Copies, since each use of a static property checks whether it is initialised.
  package let name = SourceAttribute.nativeName
  private let lookup = Content.lookup
  private let options = AttributeValue.tolerant

  package init() {}

  /// Whether a file has a source; `nil` where the attribute is damaged or the kernel refuses:
  /// `DocumentSourceAttribute.content` says which.
  package func hasSource(_ file: borrowing EntryReference) -> Bool? {
    var hasSource: Bool? = false
    let isThere = ExtendedAttributes.read(name, of: file) { bytes in
      hasSource = self.hasSource(bytes)
    }
    return isThere == nil ? nil : hasSource
  }

  /// Whether a value of the attribute is a source; `nil` where it is damaged.
  ///
  /// The fields are checked, and no strings are made of them.
  package func hasSource(_ bytes: Span<UInt8>) -> Bool? {
    if StoredValue.isEmpty(bytes) { return false }
    do throws(DecodingFailure) {
      let list = unsafe bytes.bytes
      let found = try lookup.find(in: list, options: options)
      guard found.hasString else { return false }
      try found.checkAll(in: list)
      return true
    } catch {
      return nil
    }
  }
}
