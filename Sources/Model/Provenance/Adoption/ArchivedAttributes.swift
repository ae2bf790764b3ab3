public import BinaryPropertyList
public import LinuxSystem
internal import Xattr

/// What an archive holds of the attributes of files in it.
///
/// A program of its own reads the archive; a property list carries it from there.
public struct ArchivedAttributes: Sendable {
  /// What it holds of one file, in one place.
  public struct File: Sendable {
    /// The file's path in the archive.
    public let path: FilePath
    public let carrier: ForeignCarrier

    public init(path: FilePath, carrier: ForeignCarrier) {
      self.path = path
      self.carrier = carrier
    }
  }

  /// In the order of the archive.
  public var files: [File] = []
  /// Entries that cannot be read.
  public var flaws: [CarrierFlaw] = []

  public init() {}

  /// As a binary property list.
  public func binary() throws(EncodingFailure) -> [UInt8] {
    let files = files.map { file -> PropertyList in
      let attributes = file.carrier.attributes.flatMap { attribute -> [PropertyList] in
        [.data(Array(attribute.name.bytes)), .data(attribute.value)]
      }
      return .array([
        .data(Array(file.path.bytes)), .data(file.carrier.carrier.name),
        .string(file.carrier.carrier.form.rawValue), .array(attributes),
        .array(file.carrier.remainder.map { .string($0) }),
      ])
    }
    let flaws = flaws.map { flaw -> PropertyList in
      let words =
        switch flaw.cause {
        case .malformed(let failure): failure.description
        case .unreadable(let reason): reason
        }
      return .array([.data(flaw.name), .string(words)])
    }
    return try PropertyList.array([.array(files), .array(flaws)]).binary()
  }

  /// Reads what `binary` makes.
  ///
  /// - Returns: `nil` for anything else.
  public init?(binary: [UInt8]) throws(DecodingFailure) {
    guard case .array(let parts) = try PropertyList(binary: binary), parts.count == 2,
      case .array(let files) = parts[0], case .array(let flaws) = parts[1]
    else { return nil }
    for file in files {
      guard let file = Self.file(file) else { return nil }
      self.files.append(file)
    }
    for flaw in flaws {
      guard case .array(let parts) = flaw, parts.count == 2, case .data(let name) = parts[0],
        case .string(let words) = parts[1]
      else { return nil }
      self.flaws.append(CarrierFlaw(name: name, cause: .unreadable(words)))
    }
  }

  private static func file(_ list: PropertyList) -> File? {
    guard case .array(let parts) = list, parts.count == 5, case .data(let path) = parts[0],
      let path = FilePath(bytes: path), case .data(let name) = parts[1],
      case .string(let form) = parts[2], let form = MarkCarrier.Form(rawValue: form),
      case .array(let pairs) = parts[3], pairs.count.isMultiple(of: 2),
      case .array(let remainder) = parts[4]
    else { return nil }
    var attributes: [ForeignCarrier.Attribute] = []
    for position in stride(from: 0, to: pairs.count, by: 2) {
      // Only user attributes are taken, whatever the program says.
      guard case .data(let name) = pairs[position], case .data(let value) = pairs[position + 1],
        name.starts(with: "user.".utf8), let name = AttributeName(bytes: name[...])
      else { return nil }
      attributes.append(ForeignCarrier.Attribute(name: name, value: value))
    }
    let words = remainder.compactMap { part in
      if case .string(let text) = part { text } else { nil as String? }
    }
    return File(
      path: path,
      carrier: ForeignCarrier(
        carrier: MarkCarrier(form: form, name: name), attributes: attributes, remainder: words))
  }
}
