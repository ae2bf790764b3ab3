/// The process of a file event.
public struct Writer: Sendable {
  /// Its number here; 0 where it has none.
  public let identifier: Int32
  /// A pidfd, which is open during the event only; negative where the process is gone already.
  public let process: CInt

  public init(identifier: Int32, process: CInt) {
    self.identifier = identifier
    self.process = process
  }
}
