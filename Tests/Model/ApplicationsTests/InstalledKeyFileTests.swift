import LinuxSystem
import TestSupport
import Testing
import TextFormats

@testable import Applications

@Suite struct InstalledKeyFileTests {
  @Test func fileThatIsTooLargeOrNoneIsNotRead() throws {
    let directory = try TemporaryDirectory()
    try directory.write([UInt8](repeating: 0x0a, count: (1 << 20) + 1), to: "large")
    #expect(KeyFile(InstalledFile(path: FilePath(directory.path("large")))) == nil)
    #expect(KeyFile(InstalledFile(path: FilePath(directory.root))) == nil)
    #expect(KeyFile(InstalledFile(path: FilePath(directory.path("none")))) == nil)
  }
}
