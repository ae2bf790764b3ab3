import Foundation
import TestSupport
import Testing

/// The Python module, by a program in Python.
@Suite(.enabled(if: SharedLibrary.isExpected)) struct PythonModuleTests {
  @Test func moduleIsCorrect() throws {
    let directory = try TemporaryDirectory()
    let execution = try Execution.run(
      ["python3", "-W", "error", SharedLibrary.program("module.py")], in: directory.root,
      environment: SharedLibrary.environment.merging(["XDG_DATA_DIRS": directory.root]) { $1 })
    #expect(execution.errors == "" && execution.text == "kept\n" && execution.status == 0)
  }
}
