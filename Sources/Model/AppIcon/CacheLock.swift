internal import Glibc
internal import LinuxSystem

/// The right to fetch a URL, which one process, and one thread in it, has at a time.
///
/// It ends with this value, and with the process however that ends. URLs share a limited number of
/// locks, so a thread must not hold two.
public struct CacheLock: ~Copyable, Sendable {
  private let descriptor: CInt

  /// Takes the lock, waiting where somebody has it.
  ///
  /// The corresponding C function is flock(2), which knows no time out.
  init(
    _ name: String, in directory: PrivateDirectory, patience: Duration
  ) throws(IconCacheError) {
    let path = directory.path.appending(FilePath(name))
    let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC
    let descriptor = unsafe openat(directory.descriptor, name, flags, 0o600)
    guard descriptor >= 0 else { throw IconCacheError(path, .errno(.current)) }
    let clock = ContinuousClock()
    let end = clock.now + patience
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      let errno = Errno.current
      let isHeld = errno.rawValue == EWOULDBLOCK || errno.rawValue == EINTR
      guard isHeld, clock.now < end else {
        close(descriptor)
        throw IconCacheError(path, isHeld ? .busy : .errno(errno))
      }
      usleep(5000)
    }
    self.descriptor = descriptor
  }

  /// Gives the right up. Without this, it may end any time after the value's last use.
  public consuming func release() {}

  deinit { close(descriptor) }
}
