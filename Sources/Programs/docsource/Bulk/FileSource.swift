import DocumentSource
import LinuxSystem
import Xattr

/// What a filter goes by: what a file's attribute says, if anything.
enum FileSource: Sendable {
  /// Only the fields that were asked for.
  case source(DocumentSource, Carrier?)
  /// No attribute, or none of the four fields in it.
  case untagged(Absence)
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
      let found = try DocumentSourceAttribute(of: file).content(fields, in: carriers)
      switch found.content {
      case .source(let source, _): self = .source(source, found.carrier)
      case .none(let absence): self = .untagged(absence)
      }
    } catch {
      switch error.cause {
      case .damaged: self = .damaged(error)
      case .attribute(let refusal) where refusal.errno == .notSupported:
        self = .untagged(.noAttribute)
      default: throw error
      }
    }
  }
}
