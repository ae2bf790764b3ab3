internal import Synchronization

/// Lets one stream write at a time, where several lead to one terminal or file.
final class OutputTurns: Sendable {
  private let mutex = Mutex(())

  func wait(_ body: () -> Void) { mutex.withLock { _ in body() } }
}
