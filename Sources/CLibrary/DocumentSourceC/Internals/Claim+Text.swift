internal import CDocumentSource
internal import PropertyListText
internal import Provenance
internal import TextFormats

extension Claim.Subject {
  /// As C numbers it; `nil` for the desktop's record, which no report in C has.
  var number: docsource_subject? {
    switch self {
    case .identifier: DOCSOURCE_ABOUT_IDENTIFIER
    case .name: DOCSOURCE_ABOUT_NAME
    case .path: DOCSOURCE_ABOUT_PATH
    case .creator: DOCSOURCE_ABOUT_CREATOR
    case .url: DOCSOURCE_ABOUT_URL
    case .referrer: DOCSOURCE_ABOUT_REFERRER
    case .sender: DOCSOURCE_ABOUT_SENDER
    case .agent: DOCSOURCE_ABOUT_AGENT
    case .downloaded: DOCSOURCE_ABOUT_DOWNLOADED
    case .zone: DOCSOURCE_ABOUT_ZONE
    case .lastUse: nil
    }
  }

  /// - Parameter number: any number that C gives.
  init?(_ number: docsource_subject) {
    guard let subject = Self.allCases.first(where: { $0.number == number }) else { return nil }
    self = subject
  }
}

extension Claim {
  /// What it says, for C; `nil` for a time outside the years 1 to 9999.
  var text: String? {
    switch value {
    case .text(let text): text
    case .moment(let seconds): try? CalendarDate.text(of: seconds - MarkValue.referenceDate)
    case .zone(let zone): zone.description
    case .use(let use): use.application
    }
  }
}
