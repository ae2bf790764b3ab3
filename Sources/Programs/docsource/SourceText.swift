import CommandLineInterface
import DocumentSource

/// Says a document source in words. Whoever prints them escapes them.
enum SourceText {
  /// One line: `Working Copy (com.appliedphasor.working-copy), directory/filename.ext`.
  static func summary(_ source: DocumentSource) -> String {
    let application =
      switch (source.name, source.identifier) {
      case (let name?, let identifier?): "\(name) (\(identifier))"
      case (let name?, nil): name
      case (nil, let identifier?): identifier
      case (nil, nil): "unnamed application"
      }
    return [application, source.path].compactMap(\.self).joined(separator: ", ")
  }

  /// One line for a value of the attribute, whatever it holds.
  static func summary(ofValue bytes: [UInt8]) -> String {
    if let source = Content.source(in: bytes) { return summary(source) }
    return bytes.count == 1 ? "1 byte without a source" : "\(bytes.count) bytes without a source"
  }

  /// The label of a field for people.
  static func label(_ field: DocumentSource.Field) -> String {
    switch field {
    case .identifier: "Identifier"
    case .name: "Application"
    case .path: "Path"
    case .appInfoURL: "App info"
    }
  }
}
