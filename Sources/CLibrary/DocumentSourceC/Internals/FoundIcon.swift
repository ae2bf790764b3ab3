internal import AppIcon
internal import Applications
internal import CDocumentSource
internal import DocumentSource
internal import Glibc
internal import LinuxSystem
internal import TextFormats

/// What there is of an icon without the network, as C holds it: `docsource_icon`.
final class FoundIcon {
  let path: CText
  let origin: docsource_origin
  /// Whether docsource-fetch may bring one, or a better one.
  let isFetchable: Bool

  init(identifier: String?, appInfoURL: String?, _ drawing: IconRendering) {
    let places = BaseDirectories.current()
    let icons = LocalIcons(places: places, now: Int64(time(nil)))
    let request = IconRequest(identifier: identifier, appInfoURL: appInfoURL, drawing)
    var report = icons.find(request)
    if case .rendering = report.answer {
      // The network need not be asked, so it makes no difference who is trusted.
      isFetchable = true
      report = icons.find(request, onlyRendered: true)
    } else {
      let asked = report.stale + [report.wouldFetch].compactMap(\.self)
      isFetchable = !asked.isEmpty && Self.isAnyTrusted(asked, places)
    }
    let (origin, path) = Self.place(of: report.answer)
    self.origin = origin
    self.path = CText(bytes: path?.bytes)
  }

  /// Whether one of them may be asked. What it leads to is for docsource-fetch to see.
  private static func isAnyTrusted(_ urls: [ResolvedURL], _ places: BaseDirectories) -> Bool {
    let trusted = TrustedHosts(places: places)
    return urls.contains { url in
      guard let url = try? AbsoluteURL(url.text) else { return false }
      return trusted.contains(url.authority.host)
    }
  }

  private static func place(of answer: LocalIcons.Icon) -> (docsource_origin, FilePath?) {
    switch answer {
    case .override(let path): (DOCSOURCE_ORIGIN_OVERRIDE, path)
    case .cached(let path): (DOCSOURCE_ORIGIN_REMOTE, path)
    case .theme(let path): (DOCSOURCE_ORIGIN_THEME, path)
    case .catalog(let path): (DOCSOURCE_ORIGIN_CATALOG, path)
    case .generic(let path): (DOCSOURCE_ORIGIN_GENERIC, path)
    case .rendering, .none: (DOCSOURCE_ORIGIN_NONE, nil)
    }
  }
}
