import Foundation
import TestSupport
import Testing

/// The executable that `make` builds stands alone.
@Suite(
  .enabled(
    if: ProcessInfo.processInfo.environment["DOCSOURCE"] != nil,
    "only `make test` builds the executable that is installed"))
struct ExecutableTests {
  @Test func itNeedsNoSharedLibraryAndSoNoSwiftRuntime() throws {
    let dynamic = try Execution.run(["readelf", "-d", Docsource.path])
    #expect(dynamic.status == 0)
    #expect(!dynamic.text.contains("NEEDED"))
    let directory = try TemporaryDirectory()
    let path = try directory.file("f")
    #expect(
      try Execution.run(
        ["env", "-i", Docsource.path, "tag", "--name", "x", path]
      ).text == "\(path): tagged: x\n")
  }
}
