// These are names of C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CDocumentSource

@c @implementation
public func docsource_fetch_start(
  _ appInfoURL: UnsafePointer<CChar>?, _ points: Double, _ scale: Double, _ options: UInt32,
  _ fetch: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> docsource_status {
  unsafe fetch?.pointee = nil
  return unsafe Call.perform(error) { () throws(Failure) in
    let options = try CallOptions(
      options, among: IconDrawing.options.union([.offline, .refresh]))
    guard !options.isSuperset(of: [.offline, .refresh]) else {
      throw .argument("a server cannot be asked without the network")
    }
    let drawing = IconDrawing(try Argument.size(points: points, scale: scale), options)
    guard let url = unsafe try Argument.text(appInfoURL, "app_info_url") else {
      throw .argument("no URL is given")
    }
    guard let fetch = unsafe fetch else { throw .argument("no place for the handle is given") }
    unsafe fetch.pointee = Handle.make(try RunningFetch(url, drawing, options))
  }
}

@c @implementation
public func docsource_fetch_descriptor(_ fetch: OpaquePointer?) -> CInt {
  unsafe Handle<RunningFetch>.object(fetch)?.descriptor ?? -1
}

@c @implementation
public func docsource_fetch_result(
  _ fetch: OpaquePointer?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> docsource_status {
  unsafe Call.perform(error) { () throws(Failure) in
    guard let fetch = unsafe Handle<RunningFetch>.object(fetch) else {
      throw .argument("no fetch is given")
    }
    try fetch.result()
  }
}

@c @implementation
public func docsource_fetch_picture(
  _ fetch: OpaquePointer?, _ size: UnsafeMutablePointer<Int>?
) -> UnsafeRawPointer? {
  let picture = unsafe Handle<RunningFetch>.object(fetch)?.picture()
  unsafe size?.pointee = picture?.count ?? 0
  return unsafe picture?.baseAddress
}

@c @implementation
public func docsource_fetch_cancel(_ fetch: OpaquePointer?) {
  unsafe Handle<RunningFetch>.object(fetch)?.cancel()
}

@c @implementation
public func docsource_fetch_free(_ fetch: OpaquePointer?) {
  unsafe Handle<RunningFetch>.free(fetch)
}
