import BinaryPropertyList
import JSONPropertyList
import LinuxSystem
import PropertyListText
import Testing

/// The three writers stop at a limit, and say at which.
@Suite struct WritingLimitTests {
  enum Writer: CaseIterable {
    case json, tree, xml

    func write(_ value: PropertyList, within limit: WorkLimit) -> (String, WritingFailure?) {
      var text = ""
      let sink = { (bytes: [UInt8]) in text += String(decoding: bytes, as: UTF8.self) }
      do throws(WritingFailure) {
        switch self {
        case .json: try JSONPropertyListWriter.write(value, within: limit, to: sink)
        case .tree: try TreeText.write(value, within: limit, to: sink)
        case .xml: try XMLPropertyListWriter.write(value, within: limit, to: sink)
        }
        return (text, nil)
      } catch {
        return (text, error)
      }
    }
  }

  private static let value = PropertyList.array(Array(repeating: .string("aaaa"), count: 3))

  /// Of XML nothing is written then.
  @Test(
    arguments: [
      (.json, 20, #"["aaaa","aaaa","#), (.tree, 30, "array (3)\n  0: string \"aaaa\"\n"),
      (.xml, 200, ""),
    ] as [(Writer, Int, String)])
  func textThatIsTooLongEndsAfterTheLastPieceThatFits(
    _ writer: Writer, _ bytes: Int, _ text: String
  ) {
    let (written, failure) = writer.write(
      Self.value, within: WorkLimit(bytes: bytes, seconds: nil))
    #expect(written == text)
    #expect(failure == .excess(.bytes(bytes)))
  }

  @Test(arguments: Writer.allCases)
  func textOfExactlyTheLimitIsWhole(_ writer: Writer) {
    let (whole, none) = writer.write(Self.value, within: .none)
    #expect(none == nil)
    let (exact, still) = writer.write(
      Self.value, within: WorkLimit(bytes: whole.utf8.count, seconds: nil))
    #expect(exact == whole)
    #expect(still == nil)
    let less = WorkLimit(bytes: whole.utf8.count - 1, seconds: nil)
    #expect(writer.write(Self.value, within: less).1 == .excess(.bytes(whole.utf8.count - 1)))
  }

  @Test(arguments: Writer.allCases)
  func noTimeIsEnoughForNothing(_ writer: Writer) {
    let (written, failure) = writer.write(Self.value, within: WorkLimit(bytes: nil, seconds: 0))
    #expect(written == "")
    #expect(failure == .excess(.seconds(0)))
  }
}
