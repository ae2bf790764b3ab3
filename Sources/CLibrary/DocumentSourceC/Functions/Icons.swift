// These are names of C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import AppIcon
public import CDocumentSource

@c @implementation
public func docsource_icon_find(
  _ identifier: UnsafePointer<CChar>?, _ appInfoURL: UnsafePointer<CChar>?, _ points: Double,
  _ scale: Double, _ options: UInt32, _ icon: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> docsource_status {
  unsafe icon?.pointee = nil
  return unsafe Call.perform(error) { () throws(Failure) in
    let options = try CallOptions(options, among: IconRendering.options)
    let drawing = IconRendering(try Argument.size(points: points, scale: scale), options)
    let found = FoundIcon(
      identifier: unsafe try Argument.text(identifier, "identifier"),
      appInfoURL: unsafe try Argument.text(appInfoURL, "app_info_url"), drawing)
    unsafe Handle.give(found, icon)
    if found.origin == DOCSOURCE_ORIGIN_NONE { throw Failure(DOCSOURCE_NO_ICON, "no icon") }
  }
}

@c @implementation
public func docsource_icon_path(_ icon: OpaquePointer?) -> UnsafePointer<CChar>? {
  unsafe Handle<FoundIcon>.object(icon)?.path.start
}

@c @implementation
public func docsource_icon_origin(_ icon: OpaquePointer?) -> docsource_origin {
  unsafe Handle<FoundIcon>.object(icon)?.origin ?? DOCSOURCE_ORIGIN_NONE
}

@c @implementation
public func docsource_icon_is_fetchable(_ icon: OpaquePointer?) -> CInt {
  unsafe Handle<FoundIcon>.object(icon)?.isFetchable == true ? 1 : 0
}

@c @implementation
public func docsource_icon_free(_ icon: OpaquePointer?) {
  unsafe Handle<FoundIcon>.free(icon)
}
