import LinuxSystem
import TestSupport
import Testing

@testable import Applications

@Suite struct KeyFileTests {
  @Test func groupsAndKeysAreRead() {
    let file = KeyFile(
      Array(
        """
        Key=outside
        [A]\r
        # Key=comment
        Key = value = more \r
        Key=second
        Empty=
        List= a, b ;c,,
        Number=12
        Negative=-1
        not a line
        [B
        Key2=still A
        [B]
        Key=b
        [A]
        Late=late
        """.utf8) + [0x0a, 0xff, 0x0a])
    #expect(file.value("Key", in: "A") == "value = more")
    #expect(file.value("Key", in: "B") == "b")
    #expect(file.value("Key2", in: "A") == "still A")
    #expect(file.value("Late", in: "A") == "late")
    #expect(file.value("Empty", in: "A") == nil)
    #expect(file.value("Key", in: "C") == nil)
    #expect(file.list("List", in: "A") == ["a", "b", "c"])
    #expect(file.list("None", in: "A") == [])
    let values = file.values(in: "A")
    #expect(values.value("Key") == "value = more")
    #expect(values.value("Key2") == "still A")
    #expect(values.value("Late") == "late")
    #expect(values.value("Empty") == nil)
    #expect(file.values(in: "C").value("Key") == nil)
    #expect(values.number("Number") == 12)
    #expect(values.number("Negative") == nil)
  }

  @Test func fileThatIsTooLargeOrNoneIsNotRead() throws {
    let directory = try TemporaryDirectory()
    try directory.write([UInt8](repeating: 0x0a, count: (1 << 20) + 1), to: "large")
    #expect(KeyFile(InstalledFile(path: FilePath(directory.path("large")))) == nil)
    #expect(KeyFile(InstalledFile(path: FilePath(directory.root))) == nil)
    #expect(KeyFile(InstalledFile(path: FilePath(directory.path("none")))) == nil)
  }
}
