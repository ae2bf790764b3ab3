public import BinaryPropertyList
public import LinuxSystem
internal import Xattr

/// The `x-document-source` attribute of one file, in all forms that a Linux file carries it.
///
/// Nothing is cached: each method looks at the file as it is then.
public struct DocumentSourceAttribute: Sendable {
  let attributes: ExtendedAttributes

  public init(of file: FileReference) { attributes = ExtendedAttributes(of: file) }

  var path: FilePath { attributes.file.path }

  /// Reads the document source.
  ///
  /// The native attribute comes first; where it is missing or empty, Samba's stream form. A value
  /// with a trailing NUL is read without it.
  ///
  /// - Throws: `DocumentSourceError` where the kernel refuses, or the value is damaged.
  public func read() throws(DocumentSourceError) -> Finding {
    guard let stored = try stored() else {
      return Finding(content: .none(.noAttribute), stored: nil)
    }
    do throws(DamagedValue) {
      return Finding(content: try Content(of: stored.bytes), stored: stored)
    } catch {
      throw DocumentSourceError(.read, path, .damaged(error))
    }
  }

  /// Returns the bytes that `read` would interpret, or `nil` where the file has no carrier.
  ///
  /// An empty value is returned only if no other carrier has more.
  public func stored() throws(DocumentSourceError) -> StoredValue? {
    do throws(XattrError) {
      let native = try value(of: .native)
      if let native, !native.isEmpty { return native }
      var empty = native
      for stream in try streams() {
        guard let value = try value(of: stream) else { continue }
        if !value.isEmpty { return value }
        empty = empty ?? value
      }
      return empty
    } catch {
      throw DocumentSourceError(.read, path, .attribute(error))
    }
  }

  /// The carriers that this file has, native first. Their values need not be readable.
  public func carriers() throws(DocumentSourceError) -> [Carrier] {
    do throws(XattrError) {
      return try listed()
    } catch {
      throw DocumentSourceError(.read, path, .attribute(error))
    }
  }

  /// Works out a write without carrying it out.
  ///
  /// Fields that the change does not mention and keys that are not ours are kept. The native form
  /// is written; Samba's stream form too where the file carries it. A form that has a trailing NUL
  /// keeps it: SMB clients would lose the last byte otherwise.
  ///
  /// - Throws: `DocumentSourceError`: a value that must not be written, a change that would leave no
  ///   field, or a damaged value where the change would keep what is there.
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

  /// Works out a write of a change that is made to many files.
  ///
  /// - Throws: `DocumentSourceError`: a change that would leave no field, or a damaged value where
  ///   the change would keep what is there.
  public func plan(_ prepared: PreparedChange) throws(DocumentSourceError) -> PlannedWrite {
    let carriers: [Carrier]
    let former: [StoredValue]
    do throws(XattrError) {
      carriers = try listed()
      if carriers.isEmpty, let write = prepared.writeToUntagged { return write }
      former = try values(of: carriers, for: prepared.change.base)
    } catch {
      throw DocumentSourceError(.write, path, .attribute(error))
    }
    return try plan(prepared, carriers, former)
  }

  /// Works out a write of a change where the native form is the file's only carrier.
  ///
  /// - Parameter native: what it holds.
  package func plan(
    _ prepared: PreparedChange, over native: [UInt8]
  ) throws(DocumentSourceError) -> PlannedWrite {
    try plan(prepared, [.native], [StoredValue(carrier: .native, bytes: native)])
  }

  private func plan(
    _ prepared: PreparedChange, _ carriers: [Carrier], _ former: [StoredValue]
  ) throws(DocumentSourceError) -> PlannedWrite {
    if let write = prepared.writeToUntagged, former == write.values {
      return PlannedWrite(source: write.source, values: [], former: former)
    }
    let change = prepared.change
    let base = change.base == .nothing ? nil : former.first { !$0.isEmpty }
    let changed = try ChangedValue(of: base?.bytes, by: change, at: path)
    let values = ([.native] + carriers.filter { $0 != .native }).map { carrier in
      let old = former.first { $0.carrier == carrier }
      return StoredValue(
        carrier: carrier, bytes: changed.bytes + (needsNUL(carrier, old) ? [0] : []))
    }
    let isUnchanged =
      values.count == former.count
      && former.allSatisfy { AttributeValue.holds(changed.value, $0.bytes) && isTerminated($0) }
    return PlannedWrite(
      source: changed.source, values: isUnchanged ? [] : values, former: former)
  }

  /// Works out writing a value as it is, whatever it holds, in the place of the one that is there.
  ///
  /// The native form gets exactly these bytes. Samba's stream form is written too where the file
  /// carries it, with its NUL behind.
  public func plan(storing bytes: [UInt8]) throws(DocumentSourceError) -> PlannedWrite {
    let carriers: [Carrier]
    let former: [StoredValue]
    do throws(XattrError) {
      carriers = try listed()
      former = try values(of: carriers, for: .nothing)
    } catch {
      throw DocumentSourceError(.write, path, .attribute(error))
    }
    let terminated = AttributeValue.hasTrailingNUL(bytes) ? bytes : bytes + [0]
    let values = ([.native] + carriers.filter { $0 != .native }).map { carrier in
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

  /// Carries out a change, with another path in it if one is given, where the file carries nothing
  /// yet: what `PreparedChange.setting(path:)`, `plan` and `write` do, with nothing made on the way.
  ///
  /// - Returns: the source that the file has now; `nil` where nothing was done, since there is
  ///   something, the path must not be written, or the kernel refuses: `plan` and `write` tell more.
  package func write(_ prepared: PreparedChange, path: String? = nil) -> DocumentSource? {
    guard attributes.hasName(where: Carrier.mayBe) == false,
      let write = prepared.writeToUntagged, path?.utf8.contains(0) != true
    else { return nil }
    var source = write.source
    if let path { source.path = path }
    guard let bytes = try? source.encoded(), attributes.set(Carrier.nativeName, to: bytes) else {
      return nil
    }
    return source
  }

  /// Removes the attribute in every form.
  ///
  /// - Returns: the forms that were there.
  @discardableResult
  public func remove() throws(DocumentSourceError) -> [Carrier] {
    do throws(XattrError) {
      var removed: [Carrier] = []
      for carrier in try listed() {
        if try attributes.removeValue(of: carrier.attributeName) { removed.append(carrier) }
      }
      return removed
    } catch {
      throw DocumentSourceError(.remove, path, .attribute(error))
    }
  }

  private func value(of carrier: Carrier) throws(XattrError) -> StoredValue? {
    try attributes.value(of: carrier.attributeName).map { StoredValue(carrier: carrier, bytes: $0) }
  }

  /// The stream form is looked for by name, since Samba's names differ in case.
  private func streams() throws(XattrError) -> [Carrier] {
    try listed().filter { $0 != .native }
  }

  /// The carriers by the names that the file lists, native first.
  private func listed() throws(XattrError) -> [Carrier] {
    do throws(XattrError) {
      let carriers = try attributes.names(where: Carrier.mayBe).compactMap(Carrier.init)
      guard carriers.count > 1, let native = carriers.firstIndex(of: .native) else {
        return carriers
      }
      return [.native] + carriers[..<native] + carriers[(native + 1)...]
    } catch  where error.errno == .argumentListTooLong {
      // More names than the kernel lists: the usual spellings can still be asked for.
      return [.native, .sambaStream(Carrier.sambaStreamName)]
    }
  }

  /// What carriers hold. To be thrown away it need not be readable, but cannot be put back then.
  private func values(
    of carriers: [Carrier], for base: SourceChange.Base
  ) throws(XattrError) -> [StoredValue] {
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

  private func needsNUL(_ carrier: Carrier, _ old: StoredValue?) -> Bool {
    if case .sambaStream = carrier { return true }
    return old.map { AttributeValue.hasTrailingNUL($0.bytes) } ?? false
  }

  private func isTerminated(_ stored: StoredValue) -> Bool {
    if case .native = stored.carrier { return true }
    return AttributeValue.hasTrailingNUL(stored.bytes)
  }

  /// Best effort: what stopped the write may stop this too, and the first failure is the news.
  private func restore(_ carriers: [Carrier], from former: [StoredValue]) {
    for carrier in carriers {
      do throws(XattrError) {
        if let old = former.first(where: { $0.carrier == carrier }) {
          try attributes.setValue(old.bytes, of: carrier.attributeName)
        } else {
          try attributes.removeValue(of: carrier.attributeName)
        }
      } catch {
        continue
      }
    }
  }
}

extension DocumentSourceAttribute {
  /// The forms of the attribute that reading looks for.
  public enum Carriers: Sendable {
    /// The native one; a file without it costs one system call.
    case native
    /// All, which costs another system call where there is no native one.
    case all
  }

  /// Reads some fields of the document source.
  ///
  /// This is for many files: where no fields are wanted, nothing is made of a value that is in
  /// order. The fields that are not asked for are left out of the source.
  ///
  /// - Returns: what the value says, and the carrier that it stands in, if there is one.
  /// - Throws: `DocumentSourceError`, as `read` does.
  public func content(
    _ fields: DocumentSource.FieldSet, in carriers: Carriers
  ) throws(DocumentSourceError) -> (content: Content, carrier: Carrier?) {
    var native: Result<Content, DamagedValue> = .success(.none(.noAttribute))
    do throws(XattrError) {
      _ = try attributes.withValue(of: Carrier.nativeName) { bytes in
        do throws(DamagedValue) {
          native = .success(try Content(fields, of: bytes))
        } catch {
          native = .failure(error)
        }
      }
    } catch {
      throw DocumentSourceError(.read, path, .attribute(error))
    }
    let content: Content
    do throws(DamagedValue) {
      content = try native.get()
    } catch {
      throw DocumentSourceError(.read, path, .damaged(error))
    }
    guard content == .none(.noAttribute) || content == .none(.empty) else {
      return (content, .native)
    }
    if carriers == .native { return (content, content == .none(.empty) ? .native : nil) }
    let finding = try read()
    return (finding.content, finding.stored?.carrier)
  }
}

/// What reading a file's document source gave.
public struct Finding: Hashable, Sendable {
  public let content: Content
  /// The value it was read from; `nil` where the file carries none.
  public let stored: StoredValue?

  /// Decodes the stored value whole, keys that are not ours included.
  ///
  /// - Throws: `DamagedValue` for damage anywhere in it, also where `content` did not look.
  public func value() throws(DamagedValue) -> PropertyList? {
    guard let stored else { return nil }
    return try AttributeValue.propertyList(stored.bytes)
  }
}
