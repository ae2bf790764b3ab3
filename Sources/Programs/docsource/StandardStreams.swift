import Glibc

/// Standard input, output and error as the caller has left them.
enum StandardStreams {
  /// Takes the places of those that are closed, so that no file opened later is mistaken for one of
  /// them. To read from them and to write to them still fails, with `EBADF`.
  ///
  /// The corresponding C function is open(2), which gives the lowest number that is free.
  static func reserve() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      _ = unsafe open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
