import FuzzInput
import Witness

/// Reads an input as a record: what is read is written as it was read.
@c(LLVMFuzzerTestOneInput)
public func fuzzWitnessRecord(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
  let input = unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
  do throws(WitnessRecord.Flaw) {
    let record = try WitnessRecord(input)
    claim(record.bytes.flatMap { try? WitnessRecord($0) } == record, "a record changes")
  } catch {
    claim(!error.description.isEmpty, "a flaw has no words")
  }
  return 0
}
