/// Takes a result, so that computing it cannot be left out.
@inline(never)
func sink<Value>(_ value: borrowing Value) {}

/// The result of what cannot fail with the benchmark's own input.
func unfailing<Value, Failure: Error>(_ body: () throws(Failure) -> Value) -> Value {
  do {
    return try body()
  } catch {
    fatalError("the benchmark's own input failed: \(error)")
  }
}
