internal import Glibc
internal import LinuxSystem
internal import Provenance
internal import ShareItem
internal import TextFormats
internal import UniformType
internal import Xattr

/// A copy of what is shared in a directory of the user's, with its marks.
struct SavedCopy {
  let thing: SharedThing
  /// What an item says of the content.
  let item: ShareItem?
  let directory: FilePath
  /// What is in the copy of what identifies the user.
  let kept: ItemInput.Kept
  let isDry: Bool
  /// ASCII characters that the name must not have; with any, all of the name is UTF-8.
  var excluded: [UInt8] = []

  /// More copies of one name than anybody has.
  private static let limit = 10_000

  /// Makes the copy; never over a file that is there.
  ///
  /// - Returns: where it is, and what was left out of its marks.
  func save() throws(Refusal) -> (path: FilePath, losses: [String]) {
    let content: [UInt8] =
      switch thing.content {
      case .file: []
      case .data(let bytes): bytes
      case .text(let text), .url(let text): Array(text.utf8)
      }
    let source = try opened()
    defer { if let source { close(source) } }
    do throws(Errno) {
      let marks = try source.map { source throws(Errno) in try privateMarks(of: source) } ?? []
      if !isDry { try directory.makeDirectories() }
      let path = try put(content, from: source, marks)
      if !isDry, let item, let writer = try? ItemWriter(item) {
        _ = try? writer.apply(to: .path(path))
      }
      return (path, marks.map(\.loss))
    } catch {
      throw Refusal(
        reason: "cannot save in \(EscapedText(directory.bytes)): \(error.description.lowercased())")
    }
  }

  /// The file that is copied, open for reading; `nil` of what is none.
  private func opened() throws(Refusal) -> CInt? {
    let flaw: String
    do {
      guard thing.file != nil else { return nil }
      guard let file = try thing.held()?.opened() else { throw Errno.noSuchFile }
      var status = stat()
      if unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG { return file }
      close(file)
      flaw = "not a regular file"
    } catch let refusal as Refusal {
      throw refusal
    } catch {
      flaw = "\(error)".lowercased()
    }
    throw Refusal(reason: "cannot read \(EscapedText(quoting: (thing.file ?? [])[...])): \(flaw)")
  }

  private func privateMarks(of source: CInt) throws(Errno) -> [PrivateMark] {
    guard case .parts(let parts) = kept else { return [] }
    let attributes = ExtendedAttributes(of: .descriptor(source, path: directory))
    do throws(XattrError) {
      return try PrivateMark.all(of: attributes, keeping: parts)
    } catch {
      // A file system without attributes has no marks.
      if error.errno == .notSupported { return [] }
      throw error.errno
    }
  }

  /// The name of the copy without its ending, and the ending.
  private var name: (stem: ArraySlice<UInt8>, ending: ArraySlice<UInt8>) {
    var name: [UInt8]
    if let path = thing.file.flatMap({ FilePath(bytes: $0) }) {
      name = safe(Array(path.lastComponent))
    } else {
      let ending = thing.type.flatMap { TypeTree.builtIn.extensions(of: $0).first }
      name = Array((thing.suggestedName ?? "Shared" + (ending.map { ".\($0)" } ?? "")).utf8)
      name = safe(name)
      if name.isEmpty || name.first == UInt8(ascii: ".") { name = [UInt8(ascii: "_")] + name }
    }
    guard let period = name.lastIndex(of: UInt8(ascii: ".")), period > 0, name.count - period <= 64
    else { return (name[...], []) }
    return (name[..<period], name[period...])
  }

  /// A name as browsers save it, with `_` in the place of slashes, control characters and
  /// characters that are not seen or change the writing direction, and before a hyphen, which
  /// programs would take for an option.
  private func safe(_ name: [UInt8]) -> [UInt8] {
    var result: [UInt8] = name.first == UInt8(ascii: "-") ? [UInt8(ascii: "_")] : []
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = name.makeIterator()
    var position = 0
    while true {
      switch parser.parseScalar(from: &iterator) {
      case .valid(let encoded):
        let scalar = Unicode.UTF8.decode(encoded)
        let isSafe =
          scalar != "/" && !EscapedText.isHarmfulInName(scalar)
          && !excluded.contains { UInt32($0) == scalar.value }
        result += isSafe ? Array(encoded) : [UInt8(ascii: "_")]
        position += encoded.count
      case .error(let length):
        let bytes = name[position..<position + length]
        result += excluded.isEmpty ? Array(bytes) : bytes.map { _ in UInt8(ascii: "_") }
        position += length
      case .emptyInput: return result
      }
    }
  }

  /// The name of the copy or, where files have that already, of another one. Names that are longer
  /// than Linux's file systems take are cut before their ending, between two letters.
  private func name(_ number: Int) -> [UInt8] {
    let (stem, ending) = name
    let tail = Array((number == 1 ? "" : " (\(number))").utf8) + ending
    var cut = stem.prefix(Int(NAME_MAX) - tail.count)
    if cut.endIndex < stem.endIndex, stem[cut.endIndex] & 0xc0 == 0x80 {
      while let last = cut.popLast(), last & 0xc0 == 0x80 {}
    }
    return Array(cut) + tail
  }

  private func put(
    _ content: [UInt8], from source: CInt?, _ marks: [PrivateMark]
  ) throws(Errno) -> FilePath {
    for number in 1..<Self.limit {
      guard let path = FilePath(bytes: name(number)).map(directory.appending) else {
        throw .invalidArgument
      }
      if unsafe path.withCString({ unsafe access($0, F_OK) }) == 0 { continue }
      if isDry { return path }
      let descriptor = unsafe directory.withCString {
        unsafe open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      }
      guard descriptor >= 0 else { throw .current }
      defer { close(descriptor) }
      var status = stat()
      if let source, unsafe fstat(source, &status) != 0 { throw .current }
      let mode = source == nil ? 0o644 : status.st_mode & 0o777
      do throws(Errno) {
        try FileReplacement(
          of: FilePath(bytes: path.lastComponent) ?? FilePath(""), in: descriptor
        ).put(content, expecting: .nothing, mode: mode) { copy throws(Errno) in
          guard let source else { return }
          try fill(copy, from: source, at: path)
          try strip(copy, marks, at: path)
          var times = [status.st_atim, status.st_mtim]
          _ = unsafe futimens(copy, &times)
        }
        return path
      } catch .fileExists {
        continue
      }
    }
    throw .fileExists
  }

  private func fill(_ copy: CInt, from source: CInt, at path: FilePath) throws(Errno) {
    lseek(source, 0, SEEK_SET)
    while true {
      let block = try Descriptor.readBlock(source, most: 1 << 20)
      if block.isEmpty { break }
      try Descriptor.write(block, to: copy)
    }
    do throws(XattrError) {
      try ExtendedAttributes.copyOfUser(from: source, at: path, to: copy, at: path)
    } catch {
      // The content counts more than marks that the other file system does not hold.
      if ![.notSupported, .noSpace].contains(error.errno) { throw error.errno }
    }
  }

  private func strip(_ copy: CInt, _ marks: [PrivateMark], at path: FilePath) throws(Errno) {
    let attributes = ExtendedAttributes(of: .descriptor(copy, path: path))
    do throws(XattrError) {
      for mark in marks where try attributes.value(of: mark.name) != nil {
        try mark.leaveOut(of: attributes)
      }
    } catch {
      if error.errno != .notSupported { throw error.errno }
    }
  }
}
