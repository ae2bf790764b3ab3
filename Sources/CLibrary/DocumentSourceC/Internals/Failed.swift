internal import BinaryPropertyList
internal import CDocumentSource
internal import DocumentSource
internal import LinuxSystem
internal import Xattr

/// A failure as C holds it: `docsource_error`.
final class Failed {
  let status: docsource_status
  let number: CInt
  /// Of the byte that is wrong; -1 where no value is damaged.
  let offset: Int64
  let message: CText
  let reason: CText
  let carrier: CText

  init(_ failure: Failure) {
    status = failure.status
    number = failure.errno?.rawValue ?? 0
    offset = failure.damage.map { Int64($0.failure.offset) } ?? -1
    message = CText(failure.message)
    reason = CText(failure.damage.map { $0.failure.reason.description })
    carrier = CText(bytes: failure.carrier?.attributeName.bytes)
  }
}
