internal import DocumentSource
internal import ForeignFormats
internal import LinuxSystem
internal import TextFormats
internal import Xattr

/// Writes the attributes of carriers to one file, carrier by carrier.
struct AttributeMerge {
  private let file: HeldFile
  private let attributes: ExtendedAttributes
  private let place: FilePlace?
  private let adopter: Adopter
  /// In a dry run, what would be done so far.
  private let preflight: AttributePreflight
  /// In a dry run, the values that carriers would have given so far.
  private(set) var taken: [AttributeName: [UInt8]] = [:]
  /// Whether the file had no attribute of a carrier's name when its attributes were listed.
  private let wasBare: Bool
  /// Attributes of which carriers say different things, where carriers count more than the file.
  private var disputed: Set<AttributeName> = []

  private enum Verdict { case write, same, contradiction, dispute, overruled }

  /// - Parameter wasBare: whether the file had no attribute that another system may have named.
  init(
    into file: HeldFile, _ place: FilePlace?, wasBare: Bool = false, by adopter: Adopter
  ) {
    self.file = file
    self.wasBare = wasBare && !adopter.isDry
    attributes = ExtendedAttributes(of: .held(file))
    self.place = place
    self.adopter = adopter
    preflight = AttributePreflight(of: .held(file))
  }

  /// Finds the attributes of which no preference tells what counts: had one of the carriers been
  /// adopted, another run would take its value for the file's, and overwrite it.
  mutating func weigh(_ carriers: [AdoptableCarrier]) {
    guard adopter.preference == .carrier || adopter.preference == .mostRecent else { return }
    var values: [AttributeName: Set<[UInt8]>] = [:]
    for carrier in carriers where carrier.trust != .foreign && !carrier.isNative {
      for attribute in carrier.attributes where !isInStep(attribute, of: carrier) {
        values[attribute.name, default: []].insert(attribute.value)
      }
    }
    disputed = Set(values.filter { $0.value.count > 1 }.keys)
  }

  /// Whether an attribute is the stream that each write of our own attribute keeps in step with it.
  private func isInStep(
    _ attribute: ForeignAttributes.Attribute, of carrier: AdoptableCarrier
  ) -> Bool {
    guard carrier.carrier.form == .sambaStream, attribute.name == SourceAttribute.nativeName,
      let stored = try? attributes.value(of: attribute.name)
    else { return false }
    return AdoptableCarrier.mended(stored, of: attribute.name) == attribute.value
  }

  /// - Parameter isLeft: whether the carrier is left for `complete`.
  mutating func step(_ carrier: AdoptableCarrier, isLeft: Bool = false) -> AdoptionStep {
    var step = AdoptionStep(carrier.carrier)
    step.remainder = carrier.remainder
    if carrier.trust == .foreign {
      step.isForeign = true
      return step
    }
    for attribute in carrier.attributes {
      if wasBare, !disputed.contains(attribute.name), create(attribute) {
        step.written.append(attribute.name)
        continue
      }
      do throws(XattrError) {
        switch try verdict(on: attribute, of: carrier) {
        case .same: break
        case .contradiction: step.contradicted.append(attribute.name)
        case .dispute: step.disputed.append(attribute.name)
        case .overruled: step.overruled.append(attribute.name)
        case .write:
          try write(attribute)
          step.written.append(attribute.name)
        }
      } catch {
        step.failures.append("cannot write \(word(attribute)): \(error.reason)")
      }
    }
    if !isLeft { complete(carrier, &step) }
    return step
  }

  /// Removes a carrier once the disk has everything it holds.
  func complete(_ carrier: AdoptableCarrier, _ step: inout AdoptionStep) {
    remove(carrier, &step) { () throws(Errno) in try file.synchronize() }
  }

  /// The same where the disk was waited for.
  ///
  /// - Parameter failure: why it is not known that the disk has it.
  func complete(_ carrier: AdoptableCarrier, _ step: inout AdoptionStep, _ failure: Errno?) {
    remove(carrier, &step) { () throws(Errno) in
      if let failure { throw failure }
    }
  }

  /// Whether nothing but the disk keeps a carrier from being removed.
  func mayRemove(_ carrier: AdoptableCarrier, _ step: AdoptionStep) -> Bool {
    guard !adopter.keepsCarriers, !step.isForeign, step.contradicted.isEmpty,
      step.disputed.isEmpty, step.remainder.isEmpty, step.failures.isEmpty
    else { return false }
    return switch carrier.removal {
    case .never, .replacement: false
    case .attribute, .file: true
    }
  }

  private func word(_ attribute: ForeignAttributes.Attribute) -> EscapedText {
    EscapedText(word: Array(attribute.name.bytes))
  }

  private func verdict(
    on attribute: ForeignAttributes.Attribute, of carrier: AdoptableCarrier
  ) throws(XattrError) -> Verdict {
    if carrier.isNative { return .write }
    if disputed.contains(attribute.name) { return .dispute }
    let before = taken[attribute.name]
    let stored = before == nil ? try attributes.value(of: attribute.name) : before
    guard let current = stored, !isAbsent(current, attribute) else { return .write }
    if AdoptableCarrier.mended(current, of: attribute.name) == attribute.value { return .same }
    switch adopter.preference {
    case nil: return .contradiction
    case .native: return .overruled
    case .carrier: return .write
    case .mostRecent:
      guard let theirs = carrier.modified else { return .contradiction }
      return theirs > file.status.modified ? .write : .overruled
    }
  }

  /// An empty mark is what a write that did not fit leaves.
  private func isAbsent(_ value: [UInt8], _ attribute: ForeignAttributes.Attribute) -> Bool {
    StoredValue.isEmpty(value) && value != attribute.value
      && ForeignAttributeName(attribute.name)?.kind != nil
  }

  /// Writes an attribute unless the file has it by now, or the system refuses: `verdict` and `write` find out
  /// which.
  private func create(_ attribute: ForeignAttributes.Attribute) -> Bool {
    attributes.set(attribute.name, to: attribute.value, mode: .create)
  }

  private mutating func write(_ attribute: ForeignAttributes.Attribute) throws(XattrError) {
    if adopter.isDry {
      try preflight.setValue(attribute.value, of: attribute.name)
      taken[attribute.name] = attribute.value
    } else if attribute.name == SourceAttribute.nativeName {
      try writeSource(attribute.value)
    } else {
      try attributes.setValue(attribute.value, of: attribute.name)
    }
  }

  /// Samba's form of our own attribute is kept in step for as long as it is there. One that says
  /// something else is a carrier that was kept, or that has its turn yet.
  private func writeSource(_ value: [UInt8]) throws(XattrError) {
    let source = DocumentSourceAttribute(of: .held(file))
    do throws(DocumentSourceError) {
      try source.write(try source.plan(storing: value, in: .inStep))
    } catch {
      if case .attribute(let refusal) = error.cause { throw refusal }
      // Storing bytes as they are fails for no other reason; reading them back would show it.
    }
  }

  /// Removes a carrier once the file has everything it holds.
  ///
  /// - Parameter synchronize: has the disk know what the file has.
  private func remove(
    _ carrier: AdoptableCarrier, _ step: inout AdoptionStep,
    _ synchronize: () throws(Errno) -> Void
  ) {
    guard mayRemove(carrier, step) else { return }
    do {
      if adopter.isDry {
        try preflightRemoval(carrier.removal)
        step.isRemoved = true
        return
      }
      for attribute in carrier.attributes where !step.overruled.contains(attribute.name) {
        let stored = try attributes.value(of: attribute.name)
        let value = stored.map { AdoptableCarrier.mended($0, of: attribute.name) }
        guard value == attribute.value else {
          step.failures.append("another program changed \(word(attribute)) in the meantime")
          return
        }
      }
      try synchronize()
      let removal = try remove(carrier.removal)
      step.isRemoved = removal == .done
      if let obstacle = removal.obstacle { step.failures.append(obstacle) }
    } catch let error as XattrError {
      step.failures.append("cannot remove the carrier: \(error.reason)")
    } catch {
      step.failures.append("cannot remove the carrier: \("\(error)".lowercased())")
    }
  }

  private func preflightRemoval(_ removal: AdoptableCarrier.Removal) throws {
    switch removal {
    case .attribute(let name): try preflight.removeValue(of: name)
    case .file(let path): try place?.preflightRemoval(of: path.components)
    case .never, .replacement: break
    }
  }

  private func remove(
    _ removal: AdoptableCarrier.Removal
  ) throws -> FileReplacement.Removal {
    switch removal {
    case .attribute(let name): try attributes.removeValue(of: name) ? .done : .changed
    case .file(let path): try place?.remove(path) ?? .changed
    case .never, .replacement: .changed
    }
  }
}
