import Foundation

/// Data files below `Fixtures/`, and below `../shared/fixtures` where the authors keep theirs.
package enum Fixture {
  /// The root of the checkout, found from where this file was compiled.
  package static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The bytes of `Fixtures/<name>`.
  package static func bytes(_ name: String) throws -> [UInt8] {
    try [UInt8](Data(contentsOf: root.appending(path: "Fixtures").appending(path: name)))
  }
}
