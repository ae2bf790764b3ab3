import CommandLineInterface

/// What became of the files that were written.
struct WatchTally: Hashable {
  var tagged = 0
  /// With a source already. Where they are is asked only if they are told of.
  var kept = 0
  /// By no application.
  var plain = 0
  /// By writers that were gone.
  var unknown = 0
  var failed = 0
  /// How often the queue was full.
  var overflows = 0
  /// Files that changed while the queue was full and have no source, and files that there was no
  /// time for at the end.
  var missed = 0

  /// In words for people.
  ///
  /// - Parameter isDryRun: whether nothing was written.
  func words(isDryRun: Bool) -> String {
    "\(CountText.of(tagged)) \(isDryRun ? "would be tagged" : "tagged"), \(CountText.of(kept)) kept, "
      + "\(CountText.of(plain)) of no application, "
      + "\(CountText.of(unknown)) of writers that are gone, "
      + "\(CountText.of(failed)) failed; "
      + (overflows == 0
        ? "no event lost" : "events lost \(CountText.of(overflows, "time")), the queue being full")
      + (missed == 0 ? "" : "; \(CountText.of(missed)) missed")
  }

  /// For programs.
  var members: [(key: String, value: String)] {
    [
      ("tagged", "\(tagged)"), ("kept", "\(kept)"), ("none", "\(plain)"),
      ("unknown", "\(unknown)"), ("failed", "\(failed)"), ("overflows", "\(overflows)"),
      ("missed", "\(missed)"),
    ]
  }
}
