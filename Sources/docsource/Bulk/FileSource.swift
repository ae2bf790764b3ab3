import DocumentSource
import Xattr

/// What a filter goes by: what a file's attribute says, if anything.
enum FileSource: Sendable {
  case source(DocumentSource)
  /// No attribute, or none of the four fields in it.
  case untagged
  case damaged(DocumentSourceError)

  /// Reads it.
  ///
  /// A file system that stores no user attributes has untagged files only.
  ///
  /// - Parameters:
  ///   - fields: those that are needed; the others are left out of the source.
  ///   - carriers: the forms of the attribute to look for.
  /// - Throws: `DocumentSourceError` where the kernel refuses.
  init(
    of file: FileReference, fields: DocumentSource.FieldSet = .all,
    carriers: DocumentSourceAttribute.Carriers = .all
  ) throws(DocumentSourceError) {
    do throws(DocumentSourceError) {
      let source = try DocumentSourceAttribute(of: file).source(fields, in: carriers)
      self = source.map { .source($0) } ?? .untagged
    } catch {
      switch error.cause {
      case .damaged: self = .damaged(error)
      case .attribute(let refusal) where refusal.errno == .notSupported: self = .untagged
      default: throw error
      }
    }
  }
}
