import ActivationRule
import BinaryPropertyList
import CommandLineInterface
import ForeignFormats
import Glibc
import LinuxSystem
import TextFormats
import UniformType

/// An activation rule and where it was read.
struct NamedRule {
  /// The operand; `nil` for a predicate of the command line.
  let file: ArraySlice<UInt8>?
  /// The path below a bundle or in an archive, where the operand is one.
  let entry: [UInt8]?
  /// The bytes of the property list, where they tell places: those of XML.
  let source: [UInt8]?
  let found: FoundRule
  /// The types that the extension and its app declare.
  let declarations: [TypeDeclaration]

  /// What the rule is called in messages, not yet escaped.
  var name: [UInt8] {
    guard let file else { return Array("predicate".utf8) }
    return Array(file) + (entry.map { Array(": ".utf8) + $0 } ?? [])
  }

  /// The file whose lines messages name.
  var path: [UInt8] {
    guard let file else { return Array("predicate".utf8) }
    guard let entry else { return Array(file) }
    return file + (file.last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]) + entry
  }
}

/// The rules that an operand stands for: an Info.plist or another property list, the bundle of an app
/// or an extension, an archive of such bundles, standard input.
struct RuleSource {
  let input: InputFile
  let console: Console
  /// What is done about an operand without a rule, which is called by its name; `nil` if that is a
  /// failure.
  var passOver: ((ArraySlice<UInt8>) -> Void)?

  /// The largest property list, and the most bundles that are looked at.
  private static let listLimit = 16 << 20
  private static let bundleLimit = 1000

  /// The rules of several operands and of a predicate.
  ///
  /// - Returns: `nil` after saying why one of them cannot be read.
  static func rules(
    _ operands: [[UInt8]], predicate: String?, _ console: Console,
    passingOver passOver: ((ArraySlice<UInt8>) -> Void)? = nil
  ) -> [NamedRule]? {
    if let predicate {
      guard let found = FoundRule(in: .string(predicate)) else { return [] }
      return [
        NamedRule(file: nil, entry: nil, source: nil, found: found, declarations: [])
      ]
    }
    var rules: [NamedRule] = []
    var isComplete = true
    for input in InputFile.named(operands) {
      let source = RuleSource(input: input, console: console, passOver: passOver)
      if let found = source.rules() {
        rules += found
      } else {
        isComplete = false
      }
    }
    return isComplete ? rules : nil
  }

  /// - Returns: `nil` after saying why there are none.
  func rules() -> [NamedRule]? {
    if let path = input.path {
      if InstalledDirectory(path: path).exists { return bundleRules(path) }
      if isArchive(path) { return archiveRules(path) }
    } else if Self.readsArchive {
      return archiveRules { (arguments) throws(ChildProcess.Failure) in
        try CompanionProgram.archive.start(arguments, reading: STDIN_FILENO)
      }
    }
    guard let bytes = input.read(console) else { return nil }
    if Self.isArchive(bytes) { return archiveRules(bytes) }
    guard let list = list(bytes, input.name) else { return nil }
    guard let found = FoundRule(in: list) else { return none("no activation rule") }
    return [
      NamedRule(
        file: input.name, entry: nil, source: Self.source(bytes), found: found,
        declarations: declarations(list, input.name))
    ]
  }

  /// - Returns: no rules if the operand is passed over, `nil` after saying that it has none.
  private func none(_ reason: String) -> [NamedRule]? {
    guard let passOver else {
      console.fail(input.name, reason)
      return nil
    }
    passOver(input.name)
    return []
  }

  private static func source(_ bytes: [UInt8]) -> [UInt8]? {
    PropertyListForm(ofAny: bytes) == .xml ? bytes : nil
  }

  private func list(_ bytes: [UInt8], _ name: ArraySlice<UInt8>) -> PropertyList? {
    guard !bytes.isEmpty else {
      console.fail(name, "cannot read: the file is empty")
      return nil
    }
    return PropertyListForm(ofAny: bytes).value(of: bytes, name, console)
  }

  /// The types that a list declares; none after saying what is wrong with them.
  private func declarations(
    _ list: PropertyList, _ name: ArraySlice<UInt8>
  ) -> [TypeDeclaration] {
    guard case .dictionary = list else { return [] }
    do throws(TypeDeclaration.Failure) {
      return try TypeDeclaration.all(in: list)
    } catch {
      console.report(name, "its types are not taken: \(EscapedText(error.description))")
      return []
    }
  }

  // Bundles.

  /// Where bundles have their Info.plist, and apps their extensions.
  private static let listPlaces = ["Info.plist", "Contents/Info.plist"]
  private static let extensionPlaces = [
    "PlugIns", "Extensions", "Contents/PlugIns", "Contents/Extensions",
  ]

  private func bundleRules(_ path: FilePath) -> [NamedRule]? {
    var entries: [String] = []
    for place in Self.extensionPlaces {
      let names = InstalledDirectory(path: path.appending(FilePath(place))).names
      entries += names.filter { $0.utf8.hasSuffix(".appex") }.map { "\(place)/\($0)/" }
    }
    let isApp = !entries.isEmpty || path.bytes.hasSuffix(".app")
    if !isApp { entries = [""] }
    var bundles: [(entry: [UInt8], bytes: [UInt8])] = []
    for entry in (isApp ? [""] : []) + entries.prefix(Self.bundleLimit) {
      for place in Self.listPlaces {
        let file = "\(entry)\(place)"
        guard let bytes = content(path.appending(FilePath(file))) else { continue }
        bundles.append((Array(file.utf8), bytes))
        break
      }
    }
    guard !bundles.isEmpty else {
      console.fail(path.bytes, "no bundle: it has no Info.plist")
      return nil
    }
    return rules(of: bundles)
  }

  /// The bytes of a file in a bundle; `nil` where there is none.
  private func content(_ path: FilePath) -> [UInt8]? {
    do throws(Errno) {
      let descriptor = try Descriptor.open(path)
      defer { close(descriptor) }
      if let bytes = try Descriptor.read(descriptor, limit: Self.listLimit) { return bytes }
    } catch .noSuchFile {
      return nil
    } catch {
      console.fail(path.bytes, "cannot read: \(error.description.lowercased())")
      return nil
    }
    console.fail(path.bytes, "cannot read: larger than \(Self.listLimit >> 20) MiB")
    return nil
  }

  /// The rules in the Info.plists of an app and its extensions.
  private func rules(of bundles: [(entry: [UInt8], bytes: [UInt8])]) -> [NamedRule]? {
    var rules: [NamedRule] = []
    var declarations: [TypeDeclaration] = []
    var isComplete = true
    for (entry, bytes) in bundles {
      let name = Array(input.name) + Array(": ".utf8) + entry
      guard let list = list(bytes, name[...]) else {
        isComplete = false
        continue
      }
      declarations += self.declarations(list, name[...])
      guard let found = FoundRule(in: list) else { continue }
      rules.append(
        NamedRule(
          file: input.name, entry: entry, source: Self.source(bytes), found: found,
          declarations: []))
    }
    guard isComplete else { return nil }
    guard !rules.isEmpty else { return none("no extension with an activation rule") }
    // On a device, the types of an app and all its extensions are known.
    return rules.map { rule in
      NamedRule(
        file: rule.file, entry: rule.entry, source: rule.source, found: rule.found,
        declarations: declarations)
    }
  }

  // Archives.

  private static let archiveMark: [UInt8] = [0x50, 0x4b, 0x03, 0x04]

  private static func isArchive(_ bytes: [UInt8]) -> Bool { bytes.starts(with: archiveMark) }

  private func isArchive(_ path: FilePath) -> Bool {
    guard let descriptor = try? Descriptor.open(path) else { return false }
    defer { close(descriptor) }
    return (try? Descriptor.readBlock(descriptor, most: 4)).map(Self.isArchive) ?? false
  }

  /// Whether standard input is a file that begins like an archive, which is read in place. What comes
  /// through a pipe is read whole first.
  private static var readsArchive: Bool {
    guard lseek(STDIN_FILENO, 0, SEEK_CUR) == 0 else { return false }
    defer { lseek(STDIN_FILENO, 0, SEEK_SET) }
    return (try? Descriptor.readBlock(STDIN_FILENO, most: 4)).map(isArchive) ?? false
  }

  private func archiveRules(_ path: FilePath) -> [NamedRule]? {
    do throws(Errno) {
      let descriptor = try Descriptor.open(path)
      defer { close(descriptor) }
      return archiveRules { (arguments) throws(ChildProcess.Failure) in
        try CompanionProgram.archive.start(arguments, reading: descriptor)
      }
    } catch {
      console.fail(path.bytes, "cannot read: \(error.description.lowercased())")
      return nil
    }
  }

  private func archiveRules(_ bytes: [UInt8]) -> [NamedRule]? {
    archiveRules { (arguments) throws(ChildProcess.Failure) in
      try CompanionProgram.archive.start(arguments, input: bytes)
    }
  }

  /// - Parameter start: starts docsource-archive on the archive.
  private func archiveRules(
    _ start: ([[UInt8]]) throws(ChildProcess.Failure) -> ChildProcess
  ) -> [NamedRule]? {
    let limit = WorkLimit.standard
    let numbers = [limit.bytes, limit.seconds].map { Array(($0.map { "\($0)" } ?? "none").utf8) }
    let verb = Array(BundleLists.verb.utf8)
    do throws(ChildProcess.Failure) {
      let ending = try start([Array(input.name)] + numbers + [verb]).wait()
      guard ending.status == .done else {
        console.fail(input.name, passingOn: ending.errors)
        return nil
      }
      console.passOn(ending.errors)
      guard let lists = try? BundleLists(binary: ending.output) else {
        console.fail(input.name, "cannot read archive: docsource-archive has a different version")
        return nil
      }
      guard !lists.files.isEmpty else {
        console.fail(input.name, "the archive has no bundle with an Info.plist")
        return nil
      }
      return rules(of: lists.files.map { ($0.path, $0.content) })
    } catch {
      console.fail(input.name, "cannot read archive: \(error)")
      return nil
    }
  }
}

extension Collection<UInt8> {
  /// Whether bytes end with a text, without regard to the case of ASCII letters.
  fileprivate func hasSuffix(_ text: String) -> Bool {
    let bytes = dropLast(0).suffix(Swift.max(0, text.utf8.count))
    return bytes.count == text.utf8.count
      && zip(bytes, text.utf8).allSatisfy { $0 | 0x20 == $1 | 0x20 }
  }
}
