import CommandLineInterface

/// Values of attributes that are XML property lists, as some programs write them.
enum XMLValue {
  /// The list as a binary one, made by `docsource-xml`; `nil` where it cannot be read.
  ///
  /// What keeps it from being read goes untold: the value counts as damaged then, which is told.
  @Sendable static func binary(_ xml: [UInt8]) -> [UInt8]? {
    let arguments = ["property-list", "attribute"].map { Array($0.utf8) }
    let ending = try? CompanionProgram.xml.start(arguments, input: xml).wait()
    guard let ending, ending.status == .done else { return nil }
    return ending.output
  }
}
