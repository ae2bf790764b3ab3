internal import CLinux
internal import DocumentSource
internal import FileTree
internal import LinuxSystem

/// The names in a directory that may be those of carriers.
///
/// A name that is not among them is that of no carrier; one that is may be, in this letter case or in
/// another.
final class CarrierNames: Sendable {
  /// The numbers of the names. Another name may have one of them, and is then looked for.
  private let names: Set<UInt64>
  /// Whether any of them may be that of a stream.
  let haveStreams: Bool
  /// Whether any of them may be that of a folder of carriers.
  private let haveFolders: Bool
  /// What the directory does not say to be regular files; `nil` if there is much of that.
  private let others: Set<[UInt8]>?

  /// A directory with more of them is as good as unknown.
  private static let limit = 1 << 17
  /// As many entries that are no regular files are remembered.
  private static let otherLimit = 256

  /// Reads a directory.
  ///
  /// The corresponding C function is getdents64(2).
  ///
  /// - Returns: `nil` if it cannot be read, or its file system finds files by other names as well.
  init?(of directory: CInt) {
    var status = clinux_status()
    guard unsafe clinux_file_status(directory, &status) == 0,
      FileSystemType.listsAllNames(status.magic),
      let listing = try? OpenDirectory(directory, FilePath("."), path: FilePath("."), flags: 0),
      let descriptor = listing.descriptor, clinux_directory_folds_case(descriptor) == 0
    else { return nil }
    var names: Set<UInt64> = []
    var (haveStreams, haveFolders) = (false, false)
    var others: Set<[UInt8]>? = []
    do throws(Errno) {
      try listing.forEachName { name, isFile in
        if !isFile {
          others?.insert(Array(name))
          if let known = others, known.count > Self.otherLimit { others = nil }
        }
        guard let kind = Self.kind(of: name) else { return }
        haveStreams = haveStreams || kind == .stream
        haveFolders = haveFolders || kind == .folder
        if names.count <= Self.limit { names.insert(Self.number(of: name)) }
      }
    } catch {
      return nil
    }
    guard names.count <= Self.limit else { return nil }
    self.names = names
    self.haveStreams = haveStreams
    self.haveFolders = haveFolders
    self.others = others
  }

  var isEmpty: Bool { names.isEmpty }

  /// Whether a file that was in the directory is known to be a regular one.
  func isFile(_ name: ArraySlice<UInt8>) -> Bool {
    guard let others else { return false }
    return others.isEmpty || !others.contains(Array(name))
  }

  /// Whether something in the directory may have a name.
  func mayHave(_ name: [UInt8]) -> Bool {
    guard let kind = Self.kind(of: name[...]) else { return true }
    if names.isEmpty || kind == .stream && !haveStreams || kind == .folder && !haveFolders {
      return false
    }
    return names.contains(Self.number(of: name[...]))
  }

  private enum Kind { case stream, appleDouble, folder }

  /// What a carrier with a name may be, by a first look; `nil` for the names of other files.
  private static func kind(of name: ArraySlice<UInt8>) -> Kind? {
    // A colon, or U+F03A.
    for byte in name where byte == UInt8(ascii: ":") || byte == 0xef { return .stream }
    guard let first = name.first, first == UInt8(ascii: ".") || first == UInt8(ascii: "_") else {
      return nil
    }
    if name.starts(with: PossibleCarriers.doublePrefix) { return .appleDouble }
    let isFolder = folders.contains { folder in
      folder.count == name.count && folder.elementsEqual(name.lazy.map(folded))
    }
    return isFolder ? .folder : nil
  }

  private static let folders = [
    PossibleCarriers.archiveFolder, PossibleCarriers.netatalkFolder, PossibleCarriers.depotFolder,
  ].map { $0.map(folded) }

  /// A number of a name, the same in any letter case: FNV-1a, of 64 bits.
  private static func number(of name: ArraySlice<UInt8>) -> UInt64 {
    var number: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in name { number = (number ^ UInt64(folded(byte))) &* 0x100_0000_01b3 }
    return number
  }

  /// Capitals of ASCII as small letters: some file systems take them for the same.
  private static func folded(_ byte: UInt8) -> UInt8 {
    (0x41...0x5a).contains(byte) ? byte | 0x20 : byte
  }
}
