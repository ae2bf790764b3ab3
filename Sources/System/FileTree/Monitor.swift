internal import Glibc

/// A lock with a condition that the threads which hold the lock in turn can wait for.
///
/// The corresponding C functions are pthread_mutex_lock(3), pthread_cond_wait(3) and their kin.
///
/// `@unchecked`: what the pointers lead to is made for several threads.
@safe
package final class Monitor: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>

  package init() {
    unsafe mutex = .allocate(capacity: 1)
    unsafe changed = .allocate(capacity: 1)
    unsafe pthread_mutex_init(mutex, nil)
    unsafe pthread_cond_init(changed, nil)
  }

  deinit {
    unsafe pthread_cond_destroy(changed)
    unsafe pthread_mutex_destroy(mutex)
    unsafe changed.deallocate()
    unsafe mutex.deallocate()
  }

  package func withLock<Result>(_ body: () -> Result) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return body()
  }

  /// Waits, without the lock, until a condition is met. The caller has the lock.
  package func wait(until isMet: () -> Bool) {
    while !isMet() { unsafe pthread_cond_wait(changed, mutex) }
  }

  /// Wakes one thread that waits; the condition may be met now.
  package func signal() { unsafe pthread_cond_signal(changed) }

  /// Wakes all threads that wait.
  package func broadcast() { unsafe pthread_cond_broadcast(changed) }
}
