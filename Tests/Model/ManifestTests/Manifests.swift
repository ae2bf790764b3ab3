import DocumentSource
import LinuxSystem
import Manifest

/// Reading manifests that are at hand.
enum Manifests {
  /// What came of one piece of a manifest.
  typealias Piece = Result<ManifestEntry, ManifestFailure>

  /// Reads to the end, or to a failure after which nothing can be read.
  ///
  /// - Parameter block: how many bytes come at once.
  static func pieces(
    _ text: [UInt8], block: Int = 1 << 16, rules: WritingRules = WritingRules()
  ) -> [Piece] {
    var rest = text[...]
    var reader = ManifestReader(rules: rules) {
      defer { rest = rest.dropFirst(block) }
      return Array(rest.prefix(block))
    }
    var pieces: [Piece] = []
    while true {
      do throws(ManifestFailure) {
        guard let entry = try reader.next() else { return pieces }
        pieces.append(.success(entry))
      } catch {
        pieces.append(.failure(error))
      }
    }
  }

  /// The same by the lines that threads read.
  static func piecesOfLines(_ text: [UInt8], block: Int) -> [Piece] {
    var rest = text[...]
    var reader = ManifestReader {
      defer { rest = rest.dropFirst(block) }
      return Array(rest.prefix(block))
    }
    var pieces: [Piece] = []
    var isAtEnd = false
    while !isAtEnd, case let read = reader.pieces(), !read.isEmpty {
      for piece in read where !isAtEnd {
        piece.read { result in
          pieces.append(result)
          if case .failure(let failure) = result, failure.isFinal { isAtEnd = true }
        }
      }
    }
    return pieces
  }

  static func pieces(_ text: String) -> [Piece] { pieces(Array(text.utf8)) }

  /// The failures, in words.
  static func failures(_ text: String) -> [String] {
    pieces(text).compactMap { piece in
      if case .failure(let failure) = piece { failure.description } else { nil }
    }
  }

  static func entry(_ path: String, _ value: [UInt8]) -> ManifestEntry {
    ManifestEntry(path: FilePath(path), value: value)
  }

  static func text(_ format: ManifestFormat, _ entries: ManifestEntry...) -> [UInt8] {
    var text: [UInt8] = []
    for entry in entries { format.append(entry, to: &text) }
    return text
  }
}
