import TestSupport

/// The program built beside the tests that renders in a sandbox, or tries what one forbids.
enum PictureProbe {
  static let path = Docsource.built("PictureProbe")
}
