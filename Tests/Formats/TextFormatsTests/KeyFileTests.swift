import Testing

@testable import TextFormats

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
}
