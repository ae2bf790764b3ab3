internal import LinuxSystem
public import Manifest
internal import Xattr

extension ManifestReader {
  /// Reads an input to its end in blocks of a size: what is read, and the failures.
  ///
  /// Whatever is read must be read again after it was written in either format.
  package static func read(
    _ input: [UInt8], block: Int
  ) -> [Result<ManifestEntry, ManifestFailure>] {
    var reader = reader(of: input, block)
    var pieces: [Result<ManifestEntry, ManifestFailure>] = []
    var line = 0
    while true {
      do throws(ManifestFailure) {
        guard let entry = try reader.next() else { return pieces }
        // Text of ASCII may become UTF-16 beside one character that is not.
        claim(entry.value.count <= 2 * input.count + 128, "a value is longer than the manifest")
        pieces.append(.success(entry))
      } catch {
        claim(!error.description.isEmpty, "a failure has no words")
        claim(
          error.line > line && error.line <= input.count + 1, "line \(error.line) after \(line)")
        line = error.line
        pieces.append(.failure(error))
      }
    }
  }

  /// Reads an input to its end by the pieces that threads read.
  package static func readByPieces(
    _ input: [UInt8], block: Int
  ) -> [Result<ManifestEntry, ManifestFailure>] {
    var reader = reader(of: input, block)
    var pieces: [Result<ManifestEntry, ManifestFailure>] = []
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

  private static func reader(of input: [UInt8], _ block: Int) -> ManifestReader {
    var rest = input[...]
    return ManifestReader {
      defer { rest = rest.dropFirst(block) }
      return Array(rest.prefix(block))
    }
  }

  /// The entries of a manifest are read back from either format.
  package static func checkRoundTrip(_ pieces: [Result<ManifestEntry, ManifestFailure>]) {
    let entries = pieces.compactMap { piece in
      if case .success(let entry) = piece { entry } else { nil }
    }
    for format in ManifestFormat.allCases {
      var text: [UInt8] = []
      for entry in entries { format.append(entry, to: &text) }
      claim(text.allSatisfy { $0 == 0x0a || (0x20..<0x7f).contains($0) }, "\(format) is not ASCII")
      claim(
        read(text, block: 4096) == entries.map { .success($0) }, "\(format) is read as another")
    }
  }
}
