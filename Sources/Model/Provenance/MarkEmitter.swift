internal import BinaryPropertyList
internal import DocumentSource
internal import ForeignFormats
internal import Glibc
public import LinuxSystem
public import Xattr

/// Writes what a file's marks say in the forms of other systems.
public struct MarkEmitter: Sendable {
  /// A form in which other systems and programs look for marks of origin.
  public enum Format: CaseIterable, Sendable {
    /// An AppleDouble file beside the document, for file systems without attributes and for Macs.
    case appleDouble
    /// `user.xdg.origin.url`, `user.xdg.referrer.url`, and `user.creator` for the application.
    case xdg
    /// Windows' zone as `user.Zone.Identifier`, which ntfs-3g stores as the stream of that name.
    case zone
  }

  private let overwrites: Bool
  private let isDry: Bool
  private let reader: ProvenanceReader

  /// - Parameters:
  ///   - overwrites: whether to put marks in the place of others that say something else.
  ///   - isDry: whether to find out what would be done or fail, and write nothing.
  ///   - reader: reads the marks to write.
  public init(
    overwrites: Bool = false, isDry: Bool = false, reader: ProvenanceReader = ProvenanceReader()
  ) {
    self.overwrites = overwrites
    self.isDry = isDry
    self.reader = reader
  }

  /// Writes the marks of one file in one form.
  ///
  /// - Returns: a step for each mark, or each file of marks; none where the file's marks say
  ///   nothing that has this form.
  /// - Throws: `XattrError` where nothing of the file can be read.
  public func emit(
    _ form: Format, of file: FileReference
  ) throws(XattrError) -> [EmissionStep] {
    // The marks of one file are written to it or beside it, whatever is put in its place.
    let held = try file.held()
    let file = FileReference.held(held)
    let report = try reader.report(on: file)
    switch form {
    case .appleDouble: return try emitAppleDouble(of: held, report)
    case .xdg:
      let marks: [(String, String?)] = [
        (Self.originName, report.text(.url)),
        ("user.xdg.referrer.url", report.text(.referrer)),
        ("user.creator", report.text(.identifier) ?? report.text(.name)),
      ]
      let preflight = AttributePreflight(of: file)
      return marks.compactMap { name, text in
        text.map { write(Array($0.utf8), name, of: file, preflight) }
      }
    case .zone:
      guard let zone = Self.zone(report) else { return [] }
      let name = "user.Zone.Identifier"
      let there = report.marks.first { $0.carrier.name.elementsEqual(name.utf8) }
      if there?.value == .zone(zone) {
        return [EmissionStep(target: Array(name.utf8), outcome: .unchanged)]
      }
      return [write(zone.encoded, name, of: file, AttributePreflight(of: file))]
    }
  }

  /// Writes an address as `user.xdg.origin.url`.
  public func emit(origin url: String, of file: FileReference) -> EmissionStep {
    write(Array(url.utf8), Self.originName, of: file, AttributePreflight(of: file))
  }

  private static let originName = "user.xdg.origin.url"

  /// The zone of the first mark that has one, completed from the other marks. A downloaded file
  /// without such a mark is from the Internet, as browsers have it.
  private static func zone(_ report: ProvenanceReport) -> ZoneIdentifier? {
    let zones = report.counted.lazy.compactMap { mark -> ZoneIdentifier? in
      if case .zone(let zone)? = mark.value { zone } else { nil }
    }
    var result = zones.first ?? ZoneIdentifier()
    result.zone = result.zone ?? (report.isDownload ? .internet : nil)
    if result.zone == nil { return nil }
    result.hostURL = result.hostURL ?? report.text(.url)
    result.referrerURL = result.referrerURL ?? report.text(.referrer)
    return result
  }

  private func write(
    _ value: [UInt8], _ name: String, of file: FileReference, _ preflight: AttributePreflight
  ) -> EmissionStep {
    EmissionStep.write(
      value, name, of: file, overwrites: overwrites, preflight: isDry ? preflight : nil)
  }

  /// Other content of an AppleDouble file that exists already is kept: only marks are replaced.
  private func emitAppleDouble(
    of file: HeldFile, _ report: ProvenanceReport
  ) throws(XattrError) -> [EmissionStep] {
    let content = try Self.appleDouble(of: .held(file), report)
    if content.isEmpty { return [] }
    let place: FilePlace?
    do throws(Errno) {
      place = try FilePlace(of: file)
    } catch {
      let reason = "\(error)".lowercased()
      return [EmissionStep(target: Array("an AppleDouble file".utf8), outcome: .failed(reason))]
    }
    guard let place else { return [] }
    let path = PossibleCarriers.appleDouble(of: place)
    let outcome: EmissionStep.Outcome
    do {
      outcome = try put(content, at: path, beside: place)
    } catch let excess as AppleDoubleContent.Excess {
      outcome = .failed(excess.description)
    } catch let failure as MarkFailure {
      outcome = .failed("the existing file: \(failure)")
    } catch let errno as Errno where errno == .readOnlyFileSystem {
      // As where an attribute is refused.
      outcome = .failed("the file system is mounted read-only")
    } catch {
      outcome = .failed("\(error)".lowercased())
    }
    return [EmissionStep(target: path[0], outcome: outcome)]
  }

  private func put(
    _ content: AppleDoubleContent, at path: [[UInt8]], beside place: FilePlace
  ) throws -> EmissionStep.Outcome {
    let old = try place.neighbour(path)
    var merged = content
    if let old {
      guard old.length <= AppleDoubleContent.rewritingLimit else { throw Errno(rawValue: EFBIG) }
      let former = try AppleDoubleContent(try old.bytes(0..<old.length))
      merged = former.replacing(content)
      if merged == former { return .unchanged }
      guard overwrites || merged.keeps(former) else { return .refused }
      if place.trust(old) == .foreign { return .failed(Trust.refusal) }
    }
    let bytes = try merged.encoded()
    if isDry {
      try place.preflightWriting(bytes, to: path, replacing: old)
    } else {
      try place.write(bytes, to: path, replacing: old)
    }
    return .written
  }

  /// The attributes that a Mac would have: Apple's, in whatever form the file has them, and where
  /// the file was downloaded from.
  private static func appleDouble(
    of file: FileReference, _ report: ProvenanceReport
  ) throws(XattrError) -> AppleDoubleContent {
    let attributes = ExtendedAttributes(of: file)
    var content = AppleDoubleContent()
    let found = try PossibleCarriers.attributes(of: file)
    for (name, foreignName) in PossibleCarriers.byPrecedence(found) {
      let apple = foreignName.kind.map { Array($0.name.utf8) } ?? foreignName.name
      guard foreignName.kind?.isApple ?? apple.starts(with: "com.apple.".utf8),
        let stored = try attributes.value(of: name), !StoredValue.isEmpty(stored)
      else { continue }
      content.add(apple, foreignName.nativeValue(stored))
    }
    let name = Array(MarkKind.whereFroms.name.utf8)
    if let url = report.text(.url), !content.attributes.contains(where: { $0.name == name }),
      let origins = try? PropertyList.array(
        [url, report.text(.referrer)].compactMap(\.self).map { .string($0) }
      ).binary()
    {
      content.add(name, origins)
    }
    return content
  }
}

/// The outcome for one mark, or one file of marks, that was to be written.
public struct EmissionStep: Hashable, Sendable {
  public enum Outcome: Hashable, Sendable {
    /// It was written, or would be.
    case written
    /// The same is there already.
    case unchanged
    /// Something else is there.
    case refused
    /// It could not be written, in words.
    case failed(String)
  }

  /// The attribute's full name, or the name of the file beside the document.
  public let target: [UInt8]
  public let outcome: Outcome
  /// Gives an attribute a value, unless it has another one.
  ///
  /// - Parameters:
  ///   - overwrites: whether another value is replaced.
  ///   - preflight: tries the change in place of making it.
  static func write(
    _ value: [UInt8], _ name: String, of file: FileReference, overwrites: Bool,
    preflight: AttributePreflight?
  ) -> EmissionStep {
    let attributes = ExtendedAttributes(of: file)
    guard let attribute = AttributeName(name) else { preconditionFailure("\(name) is no name") }
    let outcome: Outcome
    do throws(XattrError) {
      let current = try attributes.value(of: attribute)
      if current == value {
        outcome = .unchanged
      } else if current?.isEmpty == false, !overwrites {
        outcome = .refused
      } else {
        if let preflight {
          try preflight.setValue(value, of: attribute)
        } else {
          try attributes.setValue(value, of: attribute)
        }
        outcome = .written
      }
    } catch {
      outcome = .failed(error.reason)
    }
    return EmissionStep(target: Array(name.utf8), outcome: outcome)
  }
}
