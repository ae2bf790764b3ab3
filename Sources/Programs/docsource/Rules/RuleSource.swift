import ActivationRule
import BinaryPropertyList
import CommandLineInterface
import ForeignFormats
import Glibc
import Handoff
import LinuxSystem
import TextFormats
import UniformType

/// The rules that an operand stands for: an Info.plist or another property list, the bundle of an app
/// or an extension, an archive of such bundles, standard input.
struct RuleSource {
  let input: InputFile
  let console: Console
  /// What is done about an operand without a rule, which is called by its name; `nil` if that is a
  /// failure.
  var passOver: ((ArraySlice<UInt8>) -> Void)?

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

  private func bundleRules(_ path: FilePath) -> [NamedRule]? {
    let bundle = ExtensionBundle(path)
    for (path, reason) in bundle.failures { console.fail(path.bytes, reason) }
    guard !bundle.lists.isEmpty else {
      if bundle.failures.isEmpty {
        console.fail(path.bytes, "no bundle: it has no Info.plist")
      }
      return nil
    }
    let rules = rules(of: bundle.lists)
    return bundle.failures.isEmpty ? rules : nil
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
