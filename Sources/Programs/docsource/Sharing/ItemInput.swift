import BinaryPropertyList
import CommandLineInterface
import Glibc
import LinuxSystem
import Provenance
import ShareItem
import TextFormats
import Xattr

/// `--limit`: the most bytes that an item may have, which are read into memory.
enum ItemLimit {
  static let option = OptionDeclaration(
    "limit", value: "SIZE", help: "read items of at most SIZE (default: 64M; none: no limit)")

  /// More than any item has that is handed from one program to another.
  static let standard = 64 << 20

  /// As JSON and XML, an item takes up to 90 times as much memory as it has bytes.
  private static let ofText = 8 << 20

  /// The most bytes of an item that is no binary property list.
  static func ofText(_ limit: Int) -> Int { limit == standard ? ofText : limit }

  /// More attachments than anybody shares at once.
  private static let attachments = 20_000

  /// Whether an item has few enough attachments, those for single activities with them; `false` after
  /// reporting that it has not.
  ///
  /// - Parameters:
  ///   - limit: that of bytes; a higher one than the standard allows any number.
  ///   - verb: what is done with the attachments, such as `share`.
  static func allows(
    _ item: ShareItem, _ limit: Int, to verb: String, _ name: ArraySlice<UInt8>, _ console: Console
  ) -> Bool {
    let count = item.activities.reduce(item.attachments.count) {
      $0 + (item.parts(for: $1).additions?.count ?? 0)
    }
    guard count > attachments, limit <= standard else { return true }
    console.fail(
      name,
      "cannot \(verb): \(count) attachments; use --limit=none to allow more than \(attachments)")
    return false
  }

  static func given(in arguments: Arguments) throws(UsageError) -> Int {
    guard let text = try arguments.text(option) else { return standard }
    return text == "none" ? .max : try WorkLimit.bytes(text, of: option)
  }
}

// How operands are read.
extension ItemInput {
  /// By what a file is an item rather than a document, which has marks.
  enum Sign {
    /// The user says "item": it is called `.xei`, or is a property list with one of an item's keys.
    case content
    /// The user names a document, and what a document contains must not choose others in its place.
    case name
  }

  /// Whether a file is an item by its name, which ends in `.xei`, in any case.
  static func isNamedSo(_ operand: [UInt8]) -> Bool {
    String(decoding: operand.suffix(4), as: UTF8.self).lowercased() == ".xei"
  }

  /// Reads an operand; `nil` after reporting why it cannot be read.
  ///
  /// - Parameter limit: the most bytes of an item. A file of another name that has more is none.
  static func read(
    _ operand: [UInt8], by sign: Sign = .content, links: Links = .follow,
    limit: Int = ItemLimit.standard, _ console: Console
  ) -> ItemInput? {
    guard let input = InputFile.named([operand]).first else { return nil }
    func content() -> [UInt8]? {
      input.read(console, limit: limit, remedy: "; use --limit=SIZE to allow more")
    }
    guard let path = input.path else {
      guard let bytes = content(), isShort(bytes, limit, input, console) else { return nil }
      return item(bytes, input, console).map { .item($0) }
    }
    let isNamedSo = isNamedSo(operand)
    // A FIFO would be waited for.
    if isNamedSo, let status = try? FileStatus(path, links: .follow),
      ![.file, .directory].contains(status.kind)
    {
      console.fail(input.name, "cannot read share item: not a regular file")
      return nil
    }
    if isNamedSo || sign == .content && mayBeItem(path, limit) {
      guard let bytes = content() else { return nil }
      if isNamedSo {
        guard isShort(bytes, limit, input, console) else { return nil }
        return item(bytes, input, console).map { .item($0) }
      }
      // What is no item need not be a list that can be read.
      if isShort(bytes, limit), let value = quietly(bytes), isItem(value) {
        return item(bytes, input, console).map { .item($0) }
      }
    }
    return marks(path, links, console)
  }

  /// The marks of a file; `nil` after reporting why they cannot be read.
  static func marks(_ path: FilePath, _ links: Links, _ console: Console) -> ItemInput? {
    do throws(XattrError) {
      let report = try ProvenanceReader()
        .report(on: .path(path, links: links))
      return .marks(FileItem(report), report)
    } catch {
      console.fail(path.bytes, "cannot read marks of origin: \(error.reason)")
      return nil
    }
  }

  private static func isShort(_ bytes: [UInt8], _ limit: Int) -> Bool {
    bytes.count <= ItemLimit.ofText(limit) || PropertyListForm(of: bytes) == .binary
  }

  /// The same, after reporting what is too long.
  private static func isShort(
    _ bytes: [UInt8], _ limit: Int, _ input: InputFile, _ console: Console
  ) -> Bool {
    guard !isShort(bytes, limit) else { return true }
    console.fail(
      input.name,
      "cannot read: larger than \(WorkLimit.text(of: ItemLimit.ofText(limit))), the limit for items as"
        + " JSON or XML; use --limit=SIZE to allow more")
    return false
  }

  /// Whether the file may begin like a property list. Files of other kinds are not opened.
  private static func mayBeItem(_ path: FilePath, _ limit: Int) -> Bool {
    guard InstalledFile(path: path).exists, let file = try? Descriptor.open(path) else {
      return false
    }
    defer { close(file) }
    guard Descriptor.size(of: file) ?? 0 <= limit,
      let start = try? Descriptor.readBlock(file, most: 64)
    else { return false }
    if start.starts(with: "bplist".utf8) { return true }
    let text = start.drop(while: PropertyListForm.blanks.contains)
    return text.first == UInt8(ascii: "{") || text.starts(with: "<?xml".utf8)
      || text.starts(with: "<!DOCTYPE plist".utf8) || text.starts(with: "<plist".utf8)
  }

  private static func quietly(_ bytes: [UInt8]) -> PropertyList? {
    PropertyListForm(of: bytes).value(of: bytes)
  }

  private static func isItem(_ value: PropertyList) -> Bool {
    guard case .dictionary(let dictionary) = value else { return false }
    return ShareItem.isItem(dictionary)
  }

  private static func item(
    _ bytes: [UInt8], _ input: InputFile, _ console: Console
  ) -> ShareItem? {
    do throws(ItemFailure) {
      let form = PropertyListForm(of: bytes)
      if form == .binary { return try ShareItem(bytes) }
      // JSON is what is neither of the other two, and a list of it begins with a bracket.
      let start = bytes.first { !PropertyListForm.blanks.contains($0) }
      if form == .json, start != UInt8(ascii: "{"), start != UInt8(ascii: "[") {
        console.fail(
          input.name,
          "no share item: neither a binary, nor an XML, nor a JSON property list")
        return nil
      }
      return try form.value(of: bytes, input.name, console).map { value throws(ItemFailure) in
        try ShareItem(value)
      }
    } catch {
      console.fail(input.name, "cannot read share item: \(error)")
      return nil
    }
  }
}
