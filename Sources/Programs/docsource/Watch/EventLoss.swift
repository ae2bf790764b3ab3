/// When events were lost, and the search for the files that are missed since.
struct EventLoss {
  private enum State {
    case none
    /// Events are lost, and the queue was not yet empty again.
    case open(start: MissedFiles.FileTime)
    /// It was, at a time in milliseconds.
    case ended(start: MissedFiles.FileTime, end: MissedFiles.FileTime, time: Int)
  }

  private var state = State.none
  private var lastEmpty = MissedFiles.now
  private var search: MissedFiles?

  /// An event says that others are lost.
  mutating func begin() {
    switch state {
    case .none: state = .open(start: lastEmpty)
    case .ended(let start, _, _): state = .open(start: start)
    case .open: break
    }
  }

  /// The queue is empty.
  ///
  /// - Parameter start: when it was begun to be read.
  mutating func drained(_ start: MissedFiles.FileTime) {
    lastEmpty = start
    guard case .open(let start) = state else { return }
    state = .ended(start: start, end: MissedFiles.now, time: Clock.milliseconds)
  }

  /// When the queue was empty again, in milliseconds, where the files are to be searched for.
  var endTime: Int? {
    guard search == nil, case .ended(_, _, let time) = state else { return nil }
    return time
  }

  /// Begins to count the files.
  mutating func search(_ owners: [MissedFiles.Owner]) {
    guard case .ended(let start, let end, _) = state else { return }
    state = .none
    let search = MissedFiles(of: owners, from: start, to: end)
    search.start()
    self.search = search
  }

  var isBeingCounted: Bool { search != nil }

  /// Whether there are files that were not counted.
  var isOpen: Bool {
    guard search == nil, case .none = state else { return true }
    return false
  }

  /// How many files are missed, when they have just been counted.
  var count: Int? {
    mutating get {
      guard let count = search?.count else { return nil }
      search = nil
      return count
    }
  }
}
