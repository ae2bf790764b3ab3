internal import Synchronization

/// A flag that ends a walk before its next entry; a signal handler may set it.
public final class WalkCancellation: Sendable {
  private let flag = Atomic(false)

  public init() {}

  public var isCancelled: Bool { flag.load(ordering: .relaxed) }

  public func cancel() { flag.store(true, ordering: .relaxed) }
}
