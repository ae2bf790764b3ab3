/// Stops with `text`, which libFuzzer reports with the input, unless what is claimed holds.
public func claim(_ holds: Bool, _ text: @autoclosure () -> String) {
  if !holds { fatalError(text()) }
}
