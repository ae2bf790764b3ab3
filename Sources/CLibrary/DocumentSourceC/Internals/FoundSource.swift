internal import CDocumentSource
internal import DocumentSource
internal import LinuxSystem
internal import Xattr

/// A document source as C holds it: `docsource_source`.
final class FoundSource {
  private let identifier: CText
  private let name: CText
  private let path: CText
  private let appInfoURL: CText
  let carrier: CText

  init(_ source: DocumentSource, in carrier: Carrier) {
    identifier = CText(source.identifier)
    name = CText(source.name)
    path = CText(source.path)
    appInfoURL = CText(source.appInfoURL)
    self.carrier = CText(bytes: carrier.attributeName.bytes)
  }

  func value(_ field: docsource_field) -> (start: UnsafePointer<CChar>?, count: Int) {
    switch field {
    case DOCSOURCE_IDENTIFIER: unsafe (identifier.start, identifier.count)
    case DOCSOURCE_NAME: unsafe (name.start, name.count)
    case DOCSOURCE_PATH: unsafe (path.start, path.count)
    case DOCSOURCE_APP_INFO_URL: unsafe (appInfoURL.start, appInfoURL.count)
    default: (nil, 0)
    }
  }
}
