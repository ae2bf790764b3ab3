import CommandLineInterface

/// The command of `--exec`, with placeholders as in fd(1): `{}` for the path, `{/}` for the name,
/// `{//}` for the directory, `{.}` and `{/.}` for path and name without extension.
struct CommandTemplate: Sendable {
  private enum Piece: Sendable {
    case text([UInt8])
    case path, name, directory, withoutExtension, nameWithoutExtension
  }

  private static let placeholders: [(typed: [UInt8], piece: Piece)] = [
    (Array("{}".utf8), .path), (Array("{/}".utf8), .name), (Array("{//}".utf8), .directory),
    (Array("{.}".utf8), .withoutExtension), (Array("{/.}".utf8), .nameWithoutExtension),
  ]

  private var words: [[Piece]]

  /// Without any placeholder the path becomes the last word.
  ///
  /// - Throws: `UsageError` where there is no command.
  init(_ words: [[UInt8]], option: OptionDeclaration) throws(UsageError) {
    guard !words.isEmpty else { throw UsageError("--\(option.long) needs a command") }
    self.words = words.map(Self.pieces)
    if !self.words.contains(where: Self.hasPlaceholder) { self.words.append([.path]) }
  }

  private static func pieces(_ word: [UInt8]) -> [Piece] {
    var pieces: [Piece] = []
    var text: [UInt8] = []
    var rest = word[...]
    while let byte = rest.first {
      if let known = placeholders.first(where: { rest.starts(with: $0.typed) }) {
        pieces += [.text(text), known.piece]
        text = []
        rest.removeFirst(known.typed.count)
      } else {
        text.append(byte)
        rest.removeFirst()
      }
    }
    return pieces + [.text(text)]
  }

  private static func hasPlaceholder(_ word: [Piece]) -> Bool { word.count > 1 || isPath(word) }

  private static func isPath(_ word: [Piece]) -> Bool {
    guard case .path? = word.first else { return false }
    return true
  }

  /// The position of the only word with placeholders, or `nil` if there are several.
  var onlyVariableWord: Int? {
    let variable = words.indices.filter { Self.hasPlaceholder(words[$0]) }
    return variable.count == 1 ? variable.first : nil
  }

  func words(for path: [UInt8]) -> [[UInt8]] { words.map { Self.filled($0, path) } }

  func word(_ position: Int, for path: [UInt8]) -> [UInt8] { Self.filled(words[position], path) }

  private static func filled(_ word: [Piece], _ path: [UInt8]) -> [UInt8] {
    let parts = PathParts(path[...])
    return word.reduce(into: []) { filled, piece in
      switch piece {
      case .text(let text): filled += text
      case .path: filled += path
      case .name: filled += parts.name
      case .directory: filled += parts.directory
      case .withoutExtension: filled += parts.withoutExtension
      case .nameWithoutExtension: filled += parts.nameWithoutExtension
      }
    }
  }
}

/// The parts of a path, found by its bytes alone.
struct PathParts {
  /// The path without slashes at its end, unless it consists of slashes.
  private let path: ArraySlice<UInt8>

  private static let slash = UInt8(ascii: "/")

  init(_ path: ArraySlice<UInt8>) {
    let end = path.lastIndex { $0 != Self.slash }
    self.path = end.map { path[...$0] } ?? path.prefix(1)
  }

  /// The part after the last slash.
  var name: ArraySlice<UInt8> {
    guard path.count > 1, let slash = path.lastIndex(of: Self.slash) else { return path }
    return path[(slash + 1)...]
  }

  /// The part before the last slash: `.` where there is none.
  var directory: ArraySlice<UInt8> {
    guard let slash = path.lastIndex(of: Self.slash) else { return [UInt8(ascii: ".")] }
    let lead = path[..<slash]
    let end = lead.lastIndex { $0 != Self.slash }
    return end.map { lead[...$0] } ?? path.prefix(1)
  }

  /// The path up to the last period of the name; a leading period begins no extension.
  var withoutExtension: ArraySlice<UInt8> { path[..<stemEnd] }

  var nameWithoutExtension: ArraySlice<UInt8> { name[..<stemEnd] }

  private var stemEnd: Int {
    let name = name
    guard let period = name.lastIndex(of: UInt8(ascii: ".")), period > name.startIndex,
      !name.elementsEqual("..".utf8)
    else { return name.endIndex }
    return period
  }
}
