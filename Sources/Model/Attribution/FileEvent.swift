public import LinuxSystem

/// A file that was open for writing and is closed, as fanotify(7) tells of it.
public enum FileEvent {
  /// The file, open for reading, and who closed it.
  case written(CInt, Writer)
  /// The file cannot be opened.
  case unreadable(Errno, Writer)
  /// The queue was full: nobody knows how many events are lost.
  case overflow
}
