import CGIO
import CompanionProtocol
import Glibc
import LinuxSystem

/// An error of GLib, in words.
struct DesktopFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  /// Takes the error over.
  init(_ error: UnsafeMutablePointer<GError>?) {
    defer { unsafe g_error_free(error) }
    description =
      unsafe error?.pointee.message.map { unsafe String(cString: $0) } ?? "unknown error"
  }
}

/// A path or a URI as C has it.
func withText<Result>(_ text: [UInt8], _ body: (UnsafePointer<CChar>) -> Result) -> Result {
  unsafe (text + [0]).withUnsafeBytes { bytes in
    // The array has a byte at least.
    let start = unsafe bytes.baseAddress.unsafelyUnwrapped
    return unsafe body(start.assumingMemoryBound(to: CChar.self))
  }
}

/// An installed application. The safety of the pointer is that of this object, which holds a
/// reference to what it means.
@safe final class DesktopApplication {
  private let pointer: OpaquePointer

  /// - Parameter pointer: whose reference is taken over.
  private init(_ pointer: OpaquePointer) { unsafe self.pointer = pointer }

  deinit { unsafe g_object_unref(UnsafeMutableRawPointer(pointer)) }

  /// - Returns: `nil` if no application has the identifier.
  convenience init?(_ identifier: [UInt8]) {
    guard let found = unsafe withText(identifier, { unsafe cgio_application($0) }) else {
      return nil
    }
    unsafe self.init(found)
  }

  /// The default application for a type.
  convenience init?(defaultFor type: String) {
    guard let found = unsafe cgio_default(type) else { return nil }
    unsafe self.init(found)
  }

  /// Which applications a list has.
  enum Choice: CInt {
    /// Those that declare the type.
    case recommended
    /// Those that declare a general type of it.
    case fallback
    /// All that are installed.
    case all
  }

  /// The applications for a type, in the order of preference.
  static func list(for type: String, _ choice: Choice) -> [DesktopApplication] {
    let list = unsafe cgio_applications(type, choice.rawValue)
    defer { unsafe cgio_free_list(list) }
    var applications: [DesktopApplication] = []
    var element = unsafe list
    while let one = unsafe element {
      if let application = unsafe cgio_element(one) {
        unsafe g_object_ref(UnsafeMutableRawPointer(application))
        unsafe applications.append(DesktopApplication(application))
      }
      unsafe element = one.pointee.next
    }
    return applications
  }

  var identifier: String {
    unsafe cgio_identifier(pointer).map { unsafe String(cString: $0) } ?? ""
  }

  /// In the user's language.
  var name: String { unsafe cgio_name(pointer).map { unsafe String(cString: $0) } ?? identifier }

  /// A name or a path; empty where there is none.
  var icon: String {
    let icon = unsafe cgio_icon(pointer)
    defer { unsafe g_free(icon) }
    return unsafe icon.map { unsafe String(cString: $0) } ?? ""
  }

  var takesFiles: Bool { unsafe cgio_takes_files(pointer) != 0 }
  /// Whether it takes what is no local file: GIO would start it without that.
  var takesURIs: Bool { unsafe cgio_takes_uris(pointer) != 0 }
  var isShownInMenus: Bool { unsafe cgio_is_shown(pointer) != 0 }
  var isInTerminal: Bool { unsafe cgio_is_in_terminal(pointer) != 0 }
  var isActivatable: Bool { unsafe cgio_is_activatable(pointer) != 0 }

  /// Whether the application declares a type, or a general type of it.
  func declares(_ type: String) -> Bool {
    if unsafe cgio_declares(pointer, type) != 0 { return true }
    let own = identifier
    return [.recommended, .fallback].contains { choice in
      Self.list(for: type, choice).contains { $0.identifier == own }
    }
  }

  /// A copy that is started by its Exec line alone.
  ///
  /// - Parameter recorder: a program that is started in its place, with the words that it would have
  ///   been started with after `words`.
  func copy(recorder: FilePath?) throws(DesktopFailure) -> DesktopApplication {
    var failure: UnsafeMutablePointer<GError>?
    let copy =
      unsafe recorder.map { recorder in
        unsafe recorder.withCString { unsafe cgio_copy(pointer, $0, &failure) }
      } ?? cgio_copy(pointer, nil, &failure)
    guard let copy = unsafe copy else { throw unsafe DesktopFailure(failure) }
    return unsafe DesktopApplication(copy)
  }

  /// Starts the application by its Exec line, as often as GIO does for so many targets.
  ///
  /// - Parameter output: what the processes write to; they are waited for one after the other.
  /// - Returns: the processes, none if they have been waited for.
  @discardableResult
  func start(
    _ targets: TargetList, output: CInt = -1
  ) throws(DesktopFailure) -> [RunningProgram] {
    var failure: UnsafeMutablePointer<GError>?
    guard let processes = unsafe cgio_processes() else { return [] }
    defer { unsafe cgio_free_processes(processes) }
    guard unsafe cgio_start(pointer, targets.list, output, processes, &failure) != 0 else {
      throw unsafe DesktopFailure(failure)
    }
    return unsafe (0..<processes.pointee.len).map { index in
      RunningProgram(child: unsafe cgio_process(processes, index))
    }
  }

  /// Hands the targets over the session bus.
  func activate(_ targets: TargetList) throws(DesktopFailure) {
    var failure: UnsafeMutablePointer<GError>?
    guard unsafe cgio_activate(pointer, targets.list, &failure) != 0 else {
      throw unsafe DesktopFailure(failure)
    }
  }
}

/// Targets as the URIs that GIO takes. The list is this object's own.
@safe final class TargetList {
  fileprivate private(set) var list: UnsafeMutablePointer<GList>?

  init(_ targets: [[UInt8]]) {
    for target in targets {
      unsafe list = withText(target) { unsafe cgio_add_target(list, $0) }
    }
  }

  deinit { unsafe cgio_free_targets(list) }

  var uris: [[UInt8]] {
    var uris: [[UInt8]] = []
    var element = unsafe list
    while let one = unsafe element {
      let text = unsafe one.pointee.data.assumingMemoryBound(to: CChar.self)
      unsafe uris.append(Array(UnsafeRawBufferPointer(start: text, count: strlen(text))))
      unsafe element = one.pointee.next
    }
    return uris
  }
}

/// The user's session bus.
@safe final class SessionBus {
  private let pointer: OpaquePointer

  init() throws(DesktopFailure) {
    var failure: UnsafeMutablePointer<GError>?
    guard let bus = unsafe cgio_bus(&failure) else { throw unsafe DesktopFailure(failure) }
    unsafe pointer = bus
  }

  deinit { unsafe g_object_unref(UnsafeMutableRawPointer(pointer)) }

  /// Sends what has not been sent yet: GIO tells the bus what it has started.
  func flush() { unsafe _ = g_dbus_connection_flush_sync(pointer, nil, nil) }

  /// Lets the portal write a mail, and waits for the user's decision.
  func mail(_ words: [UInt8]) throws(DesktopFailure) -> DesktopProtocol.PortalAnswer {
    var failure: UnsafeMutablePointer<GError>?
    let response = unsafe withText(words) {
      unsafe cgio_portal_email(pointer, $0, gsize(words.count), &failure)
    }
    if response < 0 { throw unsafe DesktopFailure(failure) }
    return Self.answer(response)
  }

  /// What a response of the portal's means: 0 done, 1 cancelled, 2 ended in another way.
  private static func answer(_ response: CInt) -> DesktopProtocol.PortalAnswer {
    UInt8(exactly: response).flatMap(DesktopProtocol.PortalAnswer.init) ?? .failed
  }

  /// Lets the portal open a target, and waits for the user's decision.
  ///
  /// - Returns: the portal's method, and its answer.
  func open(
    _ target: [UInt8], asks: Bool
  ) throws(DesktopFailure) -> (method: String, answer: DesktopProtocol.PortalAnswer) {
    let opening = unsafe withText(target) { unsafe cgio_opening($0) }
    guard let method = unsafe opening.method else {
      throw DesktopFailure("cannot open: \(Errno.current.description.lowercased())")
    }
    var failure: UnsafeMutablePointer<GError>?
    let response = unsafe withText(target) {
      unsafe cgio_portal_open(
        pointer, opening, $0, asks ? 1 : 0, getenv("XDG_ACTIVATION_TOKEN"), &failure)
    }
    guard response >= 0 else {
      throw DesktopFailure("the portal refuses: \(unsafe DesktopFailure(failure))")
    }
    return unsafe (String(cString: method), Self.answer(response))
  }
}

/// The MIME type of a file, or `x-scheme-handler/SCHEME` of a URI.
func desktopType(of target: [UInt8]) throws(DesktopFailure) -> String {
  var failure: UnsafeMutablePointer<GError>?
  guard let type = unsafe withText(target, { unsafe cgio_target_type($0, &failure) }) else {
    throw DesktopFailure("cannot tell its type: \(unsafe DesktopFailure(failure))")
  }
  defer { unsafe g_free(type) }
  return unsafe String(cString: type)
}
