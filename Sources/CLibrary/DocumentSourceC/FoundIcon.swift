// These are names of C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import AppIcon
public import CDocumentSource
internal import DocumentSource
internal import Glibc
internal import LinuxSystem
internal import TextFormats

@c @implementation public func docsource_icon_find(
  _ identifier: UnsafePointer<CChar>?, _ appInfoURL: UnsafePointer<CChar>?, _ points: Double,
  _ scale: Double, _ options: UInt32, _ icon: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> docsource_status {
  unsafe icon?.pointee = nil
  return unsafe Call.perform(error) { () throws(Failure) in
    let options = try CallOptions(options, among: IconRendering.options)
    let drawing = try IconRendering(points: points, scale: scale, options)
    let found = FoundIcon(
      identifier: unsafe try Argument.text(identifier, "identifier"),
      appInfoURL: unsafe try Argument.text(appInfoURL, "app_info_url"), drawing)
    unsafe Handle.give(found, icon)
    if found.origin == DOCSOURCE_ORIGIN_NONE { throw Failure(DOCSOURCE_NO_ICON, "no icon") }
  }
}

@c @implementation public func docsource_icon_path(_ icon: OpaquePointer?) -> UnsafePointer<CChar>?
{
  unsafe Handle<FoundIcon>.object(icon)?.path.start
}

@c @implementation public func docsource_icon_origin(_ icon: OpaquePointer?) -> docsource_origin {
  unsafe Handle<FoundIcon>.object(icon)?.origin ?? DOCSOURCE_ORIGIN_NONE
}

@c @implementation public func docsource_icon_is_fetchable(_ icon: OpaquePointer?) -> CInt {
  unsafe Handle<FoundIcon>.object(icon)?.isFetchable == true ? 1 : 0
}

@c @implementation public func docsource_icon_free(_ icon: OpaquePointer?) {
  unsafe Handle<FoundIcon>.free(icon)
}

/// The icon that can be had without the network, as C holds it: `docsource_icon`.
final class FoundIcon {
  let path: CText
  let origin: docsource_origin
  /// Whether docsource-fetch may bring an icon, or a better one.
  let isFetchable: Bool

  init(identifier: String?, appInfoURL: String?, _ drawing: IconRendering) {
    let places = BaseDirectories.current()
    let icons = LocalIcons(places: places, now: Int64(time(nil)))
    let request = IconRequest(identifier: identifier, appInfoURL: appInfoURL, drawing)
    var report = icons.find(request)
    if case .rendering = report.answer {
      // The network need not be asked, so the trusted hosts make no difference.
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

  /// Whether one of the URLs may be asked; docsource-fetch judges what that URL leads to.
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

extension IconRendering {
  /// The options of a call that say how an icon is to look.
  static let options: CallOptions = [.noOutline, .noStroke]

  init(points: Double, scale: Double, _ options: CallOptions) throws(Failure) {
    guard let size = IconSize(points: points, scale: scale) else {
      throw .argument("\(points) points at scale \(scale) are not 1 to \(IconSize.limit) pixels")
    }
    self.init(
      size: size, shape: options.contains(.noOutline) ? .none : .continuous,
      hasStroke: !options.contains(.noStroke))
  }
}
