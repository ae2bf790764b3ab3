import CommandLineInterface

/// What a thread of a bulk walk has of its own.
///
/// `@unchecked`: a block is made for one thread, and nobody else has it before that thread has
/// ended.
struct BulkBlock<Tally: BulkTally>: @unchecked Sendable {
  let console: Console
  var tally = Tally()
  var status = ExitStatus.done
}
