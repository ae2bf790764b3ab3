internal import BinaryPropertyList
package import LinuxSystem
public import Xattr

extension DocumentSourceAttribute {
  /// Works out a write without carrying it out.
  ///
  /// - Throws: `DocumentSourceError`: a value that must not be written, and as below.
  public func plan(
    _ change: SourceChange, by rules: WritingRules = WritingRules()
  ) throws(DocumentSourceError) -> PlannedWrite {
    let prepared: PreparedChange
    do throws(RefusedValue) {
      prepared = try PreparedChange(change, by: rules)
    } catch {
      throw DocumentSourceError(.write, path, .refused(error))
    }
    return try plan(prepared)
  }

  /// Works out a write of a change that is made to many files, without carrying it out.
  ///
  /// Fields that the change does not mention and keys that are not ours are kept. The native form
  /// is written; Samba's stream form too where the file carries it. A form that has a trailing NUL
  /// keeps it: SMB clients would lose the last byte otherwise.
  ///
  /// - Parameter native: the value of the native form, from a caller who has seen that it is the
  ///   file's only carrier; with `nil` the file is read.
  /// - Throws: `DocumentSourceError`: a change that would leave no field, or a damaged value where
  ///   the change would keep what is there.
  public func plan(
    _ prepared: PreparedChange, over native: [UInt8]? = nil
  ) throws(DocumentSourceError) -> PlannedWrite {
    let change = prepared.change
    var carriers = [SourceAttribute.native]
    var former: [StoredValue] = []
    if let native {
      former = [StoredValue(carrier: .native, bytes: native)]
    } else {
      carriers = try self.carriers(for: .write)
      if carriers.isEmpty, let write = prepared.writeToUntagged { return write }
      former = try values(of: carriers, for: change.base)
    }
    if let write = prepared.writeToUntagged, former == write.values {
      return PlannedWrite(source: write.source, values: [], former: former)
    }
    let base = change.base == .nothing ? nil : former.first { !$0.isEmpty }
    let bytes = base.map { Self.converted($0.bytes) ?? $0.bytes }
    let changed = try ChangedValue(of: bytes, by: change, at: path)
    let values = Self.written(carriers).map { carrier in
      let old = former.first { $0.carrier == carrier }
      let hasNUL = old.map { AttributeValue.hasTrailingNUL($0.bytes) } ?? false
      return StoredValue(
        carrier: carrier, bytes: changed.bytes + (carrier != .native || hasNUL ? [0] : []))
    }
    let isUnchanged =
      values.count == former.count
      && former.allSatisfy {
        AttributeValue.decoded($0.bytes) == changed.value
          && ($0.carrier == .native || AttributeValue.hasTrailingNUL($0.bytes))
      }
    return PlannedWrite(
      source: changed.source, values: isUnchanged ? [] : values, former: former)
  }

  /// Works out replacing the present value with other bytes, whatever they hold.
  ///
  /// The native form gets exactly these bytes. Samba's stream form is written too where the file
  /// carries it, with a NUL after the bytes.
  public func plan(storing bytes: [UInt8]) throws(DocumentSourceError) -> PlannedWrite {
    try plan(storing: bytes, in: .all)
  }

  /// The forms besides the native one that bytes are stored in.
  package enum OtherForms {
    case all
    /// Those that say what the native form says, or nothing.
    case inStep
  }

  /// The same, for a caller who may not overwrite what another form alone says.
  package func plan(
    storing bytes: [UInt8], in others: OtherForms
  ) throws(DocumentSourceError) -> PlannedWrite {
    var carriers = try self.carriers(for: .write)
    var former = try values(of: carriers, for: .nothing)
    if others == .inStep {
      let own = former.first { $0.carrier == .native }
      former.removeAll { $0.carrier != .native && !$0.isEmpty && !$0.isInStep(with: own) }
      carriers.removeAll { carrier in !former.contains { $0.carrier == carrier } }
    }
    let terminated = AttributeValue.hasTrailingNUL(bytes) ? bytes : bytes + [0]
    let values = Self.written(carriers).map { carrier in
      StoredValue(carrier: carrier, bytes: carrier == .native ? bytes : terminated)
    }
    return PlannedWrite(
      source: Content.source(in: bytes) ?? DocumentSource(),
      values: values == former ? [] : values, former: former)
  }

  /// Carries out a planned write.
  ///
  /// Each carrier is written in one step, those that shrink first, since ext4 keeps all attributes
  /// of a file in one block. Where a later one fails, the earlier ones are put back.
  ///
  /// Another writer's change between `plan` and `write` is overwritten: the kernel has no call that
  /// would notice.
  public func write(_ plan: PlannedWrite) throws(DocumentSourceError) {
    let values = plan.valuesByGrowth
    for (position, value) in values.enumerated() {
      do throws(XattrError) {
        try attributes.setValue(value.bytes, of: value.carrier.attributeName)
      } catch {
        restore(values[..<position].map(\.carrier), from: plan.former)
        throw DocumentSourceError(.write, path, .attribute(error))
      }
    }
  }

  /// Finds out whether `write` would succeed, and changes nothing.
  ///
  /// - Throws: `DocumentSourceError`, as `write` does.
  package func preflight(_ plan: PlannedWrite) throws(DocumentSourceError) {
    guard !plan.isUnchanged else { return }
    let preflight = AttributePreflight(of: attributes.file)
    try attempt(.write) { () throws(XattrError) in
      for value in plan.valuesByGrowth {
        try preflight.setValue(value.bytes, of: value.carrier.attributeName)
      }
    }
  }

  /// Carries out a change, with another path in it if one is given, where the file carries nothing
  /// yet. This is `PreparedChange.setting(path:)`, `plan` and `write` in one, without the values
  /// that those make on the way.
  ///
  /// - Returns: the native attribute's value, which holds `PreparedChange.source(at:)`; `nil` if
  ///   nothing was done, since the file carries something, the path must not be written, or the
  ///   kernel refuses: `plan` and `write` tell which.
  package func write(_ prepared: PreparedChange, path: String? = nil) -> [UInt8]? {
    guard attributes.hasName(where: SourceAttribute.mayBe) == false,
      path?.utf8.contains(0) != true,
      let bytes = try? prepared.source?.encoded(
        path: path, mark: prepared.change.watchMark.text),
      attributes.set(SourceAttribute.nativeName, to: bytes)
    else {
      return nil
    }
    return bytes
  }

  /// Stores bytes, whatever they hold, where the file carries nothing yet: `plan(storing:)` and
  /// `write` in one, without the values that those make on the way.
  ///
  /// - Returns: whether they are stored; where nothing was done, `plan` and `write` tell why.
  package static func store(_ bytes: [UInt8], in file: borrowing EntryReference) -> Bool {
    var hasAny = false
    let isListed = ExtendedAttributes.forEachName(of: file) { name in
      hasAny = hasAny || SourceAttribute.mayBe(name)
    }
    return isListed && !hasAny
      && ExtendedAttributes.create(SourceAttribute.nativeName, as: bytes, of: file)
  }

  /// Removes the attribute in every form.
  ///
  /// - Returns: the names of the attributes that were there.
  @discardableResult
  public func remove() throws(DocumentSourceError) -> [AttributeName] {
    try attempt(.remove) { () throws(XattrError) in
      var removed: [AttributeName] = []
      for name in try listedForms() {
        if try attributes.removeValue(of: name) { removed.append(name) }
      }
      return removed
    }
  }

  /// Finds out whether `remove` would succeed, and changes nothing.
  ///
  /// - Returns: the names of the attributes that are there.
  package func preflightRemoval() throws(DocumentSourceError) -> [AttributeName] {
    try attempt(.remove) { () throws(XattrError) in
      let names = try listedForms()
      let preflight = AttributePreflight(of: attributes.file)
      for name in names { try preflight.removeValue(of: name) }
      return names
    }
  }

  /// The carriers that a write goes to: the native one, and the others that are there.
  private static func written(_ carriers: [SourceAttribute]) -> [SourceAttribute] {
    [.native] + carriers.filter { $0 != .native }
  }

  /// The values of carriers. One that is to be thrown away need not be readable, but cannot be put
  /// back then.
  private func values(
    of carriers: [SourceAttribute], for base: SourceChange.Base
  ) throws(DocumentSourceError) -> [StoredValue] {
    try attempt(.write) { () throws(XattrError) in
      var values: [StoredValue] = []
      for carrier in carriers {
        do throws(XattrError) {
          if let value = try value(of: carrier) { values.append(value) }
        } catch  where error.errno == .permissionDenied && base == .nothing {
          continue
        }
      }
      return values
    }
  }

  /// Best effort: what stopped the write may stop this too, and the first failure is the news.
  private func restore(_ carriers: [SourceAttribute], from former: [StoredValue]) {
    for carrier in carriers {
      if let old = former.first(where: { $0.carrier == carrier }) {
        try? attributes.setValue(old.bytes, of: carrier.attributeName)
      } else {
        _ = try? attributes.removeValue(of: carrier.attributeName)
      }
    }
  }
}

/// A write that has been worked out and not yet carried out.
///
/// It is a class, so that a write to many files is not copied for each of them.
public final class PlannedWrite: Sendable {
  /// The file's source after the write; an empty one where the new value holds none.
  public let source: DocumentSource
  /// The values to write, carrier by carrier. Empty where the file has all of them already.
  let values: [StoredValue]
  /// The former values of the carriers, to be put back if a later write fails.
  let former: [StoredValue]

  init(source: DocumentSource, values: [StoredValue], former: [StoredValue]) {
    self.source = source
    self.values = values
    self.former = former
  }

  /// The value that a reader finds before the write; `nil` if there is none.
  public var replaced: StoredValue? { former.first { !$0.isEmpty } ?? former.first }

  /// Whether nothing needs to be written.
  public var isUnchanged: Bool { values.isEmpty }

  /// The values, in the order of how much they grow over those they replace.
  var valuesByGrowth: [StoredValue] {
    values.count < 2 ? values : values.sorted { growth($0) < growth($1) }
  }

  private func growth(_ value: StoredValue) -> Int {
    value.bytes.count - (former.first { $0.carrier == value.carrier }?.bytes.count ?? 0)
  }
}

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

  /// `nil` if the change gives no source to a file without one.
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
      return ExtendedAttributes.create(name, as: value, of: file) ? .changed : .other
    }
    var outcome = Outcome.unchanged
    let isThere = ExtendedAttributes.read(name, of: file) { bytes in
      guard unsafe !Self.isEqual(bytes.bytes, value) else { return }
      outcome = .holds(unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) })
    }
    return isThere == true ? outcome : .other
  }

  private static func isEqual(_ bytes: RawSpan, _ wanted: [UInt8]) -> Bool {
    unsafe bytes.withUnsafeBytes { bytes in
      unsafe wanted.withUnsafeBytes { unsafe bytes.hasSameBytes(as: $0) }
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

  /// Whether a file has a source; `nil` if the attribute is damaged or the kernel refuses:
  /// `DocumentSourceAttribute.content` says which.
  package func hasSource(_ file: borrowing EntryReference) -> Bool? {
    var hasSource: Bool? = false
    let isThere = ExtendedAttributes.read(name, of: file) { bytes in
      hasSource = self.hasSource(bytes)
    }
    return isThere == nil ? nil : hasSource
  }

  /// Whether a file may have a form of the attribute besides the native one.
  package func mayHaveOther(_ file: borrowing EntryReference) -> Bool {
    let native = name.bytes
    var hasOther = false
    let isListed = ExtendedAttributes.forEachName(of: file) { name in
      guard !hasOther, SourceAttribute.mayBe(name) else { return }
      hasOther = unsafe !name.withUnsafeBytes { unsafe $0.elementsEqual(native) }
    }
    return hasOther || !isListed
  }

  /// Whether a value of the attribute is a source; `nil` if it is damaged.
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
