/// An object that C holds by an opaque pointer.
///
/// The pointer stands for one reference to the object, which `free` gives back. That C uses none
/// after its end, or one as another's, is what the header asks of it.
enum Handle<Object: AnyObject> {
  static func make(_ object: Object) -> OpaquePointer {
    unsafe OpaquePointer(Unmanaged.passRetained(object).toOpaque())
  }

  /// Hands an object to C where C has a place for it.
  static func give(_ object: Object, _ place: UnsafeMutablePointer<OpaquePointer?>?) {
    if let place = unsafe place { unsafe place.pointee = make(object) }
  }

  static func object(_ handle: OpaquePointer?) -> Object? {
    guard let handle = unsafe handle else { return nil }
    return unsafe Unmanaged<Object>.fromOpaque(UnsafeRawPointer(handle)).takeUnretainedValue()
  }

  static func free(_ handle: OpaquePointer?) {
    guard let handle = unsafe handle else { return }
    unsafe Unmanaged<Object>.fromOpaque(UnsafeRawPointer(handle)).release()
  }
}
