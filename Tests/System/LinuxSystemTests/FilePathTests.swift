import Testing

@testable import LinuxSystem

@Suite struct FilePathTests {
  @Test func bytesAreKeptWhateverTheyAre() throws {
    let bytes: [UInt8] = [0x2f, 0xff, 0x0a, 0x80]
    #expect(try Array(#require(FilePath(bytes: bytes)).bytes) == bytes)
  }

  @Test func bytesWithNULMakeNoPath() {
    #expect(FilePath(bytes: [0x61, 0, 0x62]) == nil)
  }

  @Test func stringEndsAtItsFirstNUL() {
    #expect(FilePath("a\0b") == FilePath("a"))
  }

  @Test(arguments: [
    ("a", "b", "a/b"), ("a/", "b", "a/b"), ("/", "b", "/b"), ("", "b", "b"),
  ])
  func componentIsAppendedAfterOneSlash(_ path: String, _ component: String, _ joined: String) {
    #expect(FilePath(path).appending(FilePath(component)) == FilePath(joined))
  }

  @Test(arguments: [
    ("a/b", "b"), ("b", "b"), ("/b", "b"), ("a/b/", "b"), ("a/b//", "b"), ("/", "/"), ("", ""),
    ("..", ".."),
  ])
  func lastComponentIsTheName(_ path: String, _ name: String) {
    #expect(String(decoding: FilePath(path).lastComponent, as: UTF8.self) == name)
  }

  @Test func pathMadeOfACStringEqualsItsBytes() {
    let path = FilePath("/tmp/ä")
    #expect(path.withCString { FilePath(cString: $0) } == path)
  }

  @Test func orderIsThatOfTheBytes() {
    let paths = ["b", "a/b", "", "a", "ä", "a b", "a/b", "B"].map { FilePath($0) }
    #expect(
      FilePath.order(of: paths).map { paths[$0] }
        == ["", "B", "a", "a b", "a/b", "a/b", "b", "ä"].map { FilePath($0) })
    #expect(FilePath.order(of: [FilePath]()) == [])
  }
}
