import ForeignFormats
import Foundation
import TestSupport
import Testing

@testable import EmbeddedMetadata

/// What answers of exiftool say of programs and devices.
@Suite struct ExifToolAnswerTests {
  private func origin(_ tags: String) -> EmbeddedOrigin? {
    try? ExifToolAnswer.origin(
      Array("[{\n  \"SourceFile\": \"/proc/self/fd/3\",\n  \(tags)\n}]\n".utf8))
  }

  @Test(
    arguments: [
      ("photoshop-then-gimp.jpg", "IFD0:Software", "GIMP", "2.10.34", nil, 5),
      (
        "camera-sony-lightroom.heic", "XMP-xmp:CreatorTool", "Adobe Photoshop Lightroom Classic",
        "7.4",
        "SONY ILCE-7SM3", 2
      ),
      ("phone-apple-iphone8plus.heic", "IFD0:Model", nil, nil, "Apple iPhone 8 Plus", 0),
      ("camera-nikon-e775.jpg", "IFD0:Model", nil, nil, "NIKON E775", 0),
      ("c2pa-C.jpg", "CBOR:Claim_generator_info", "make_test_images", "0.33.1", nil, 1),
      ("powerpoint-10.ppt", "FlashPix:Software", "Microsoft PowerPoint", "10.2418", nil, 0),
      ("excel-mac-16.xlsx", "XML:Application", "Microsoft Macintosh Excel", "16.0300", nil, 0),
      ("illustrator-cc2015-history.pdf", "PDF:Creator", "Adobe Illustrator CC", "2015", nil, 1),
      ("openoffice-3.2.ods", "XMP-meta:Generator", "OpenOffice.org", "3.2", nil, 0),
      ("lame.mp3", "MPEG:Encoder", "LAME3.99r", nil, nil, 0),
      ("ffmpeg.ogg", "Vorbis:Encoder", "Lavc59.37.100 libvorbis", nil, nil, 0),
      ("photoshop-cs4-history.tif", "IFD0:Software", "Adobe Photoshop CS4 Macintosh", nil, nil, 5),
      ("gimp.jpg", "File:Comment", "GIMP", nil, nil, 0),
      ("ocrmypdf-photoshop-history.pdf", "PDF:Creator", "OCRmyPDF", "17.12.1", nil, 2),
    ] as [(String, String, String?, String?, String?, Int)])
  func answersOfExifToolNameProgramAndDevice(
    _ file: String, _ tag: String, _ name: String?, _ version: String?, _ device: String?,
    _ steps: Int
  ) throws {
    let origin = try #require(
      try ExifToolAnswer.origin(Fixture.bytes("EmbeddedMetadata/answers/\(file).json")))
    #expect(origin.tag == tag)
    #expect(origin.program?.name == name)
    #expect(origin.program?.version == version)
    #expect(origin.device == device)
    #expect(origin.history.count == steps)
  }

  @Test func historyHasProgramsActionsAndTimes() throws {
    let origin = try #require(
      try ExifToolAnswer.origin(
        Fixture.bytes("EmbeddedMetadata/answers/photoshop-then-gimp.jpg.json")))
    #expect(
      origin.history.last
        == EmbeddedOrigin.Step(
          program: "Gimp 2.10 (Linux)", action: "saved", time: "2026:11:28 02:10:06+00:00",
          isCredential: false))
    #expect(origin.history[1].program == nil)
    #expect(origin.history[1].action == "converted")
    #expect(
      origin.programs.map(\.words) == [
        "GIMP 2.10.34", "Gimp 2.10 (Linux)", "Adobe Photoshop CS5 Windows",
      ])
    let credentials = try #require(
      try ExifToolAnswer.origin(Fixture.bytes("EmbeddedMetadata/answers/c2pa-C.jpg.json")))
    #expect(
      credentials.history == [
        EmbeddedOrigin.Step(
          program: "Make Test Images 0.33.1", action: "c2pa.created", time: nil, isCredential: true)
      ])
  }

  @Test func onlyTheLastStepsOfAHistoryCount() {
    let steps = (0..<100).map { "{\"Action\": \"saved\", \"SoftwareAgent\": \"P\($0)\"}" }
    let history = origin("\"XMP-xmpMM:History\": [\(steps.joined(separator: ","))]")?.history
    #expect(history?.count == 32)
    #expect(history?.first?.program == "P68")
    #expect(history?.last?.program == "P99")
  }

  @Test func numbersKeepTheirZeros() {
    #expect(
      String(
        decoding: ExifToolAnswer.quoted(Array(#"{"a1": 2.10, "b": [-1e5,3], "c\"4": "5 6"}"#.utf8)),
        as: UTF8.self)
        == #"{"a1": "2.10", "b": ["-1e5","3"], "c\"4": "5 6"}"#)
    #expect(origin(#""PNG:Software": "X", "XML:AppVersion": 2.10"#)?.program?.words == "X")
    let office = origin(#""XML:Application": "Word", "XML:AppVersion": 16.10"#)
    #expect(office?.program?.version == "16.10")
  }

  @Test func textsAreOneLineAndBounded() {
    #expect(origin(#""PNG:Software": "  A\n\u0000B  1.0 ""#)?.program?.title == "A B 1.0")
    let long = origin("\"PNG:Software\": \"\(String(repeating: "e\u{301}", count: 1000))\"")
    #expect(long?.program?.words.unicodeScalars.count == 200)
    #expect(origin(#""PNG:Software": """#) == nil)
    #expect(origin(#""PNG:Software": ["A"]"#) == nil)
  }

  @Test func partOfLibreOfficeIsNoProgram() {
    let both = #""PDF:Creator": "Writer", "PDF:Producer": "LibreOffice 7.4""#
    #expect(origin(both)?.tag == "PDF:Producer")
    #expect(origin(both)?.program?.title == "LibreOffice 7.4")
    #expect(origin(#""PDF:Creator": "Writer""#)?.program?.title == "Writer")
    // The creator of a picture is a person.
    #expect(origin(#""XMP-dc:Creator": "Anna""#) == nil)
  }

  @Test func deviceIsNoProgram() {
    let phone = #""IFD0:Make": "Apple", "IFD0:Model": "iPhone XS", "XMP-xmp:CreatorTool": 14.6"#
    #expect(origin(phone)?.program == nil)
    #expect(origin(phone)?.device == "Apple iPhone XS")
  }

  @Test func lastProgramOfTheHistoryIsTheOneWhereNothingElseNamesOne() {
    let history =
      #""XMP-xmpMM:History": [{"SoftwareAgent": "A 1"}, {"SoftwareAgent": "B 2"}, {"Action": "saved"}]"#
    #expect(origin(history)?.program?.title == "B 2")
    #expect(origin(history)?.tag == "XMP-xmpMM:History")
    #expect(origin(#""PNG:Software": "C", "# + history)?.program?.title == "C")
  }

  @Test func deviceIsCalledByItsMakeOnce() {
    #expect(
      origin(#""IFD0:Make": "Canon", "IFD0:Model": "Canon EOS 5D""#)?.device == "Canon EOS 5D")
    #expect(
      origin(#""IFD0:Make": "NIKON CORPORATION", "IFD0:Model": "NIKON D70""#)?.device == "NIKON D70"
    )
    #expect(origin(#""IFD0:Make": "Apple", "IFD0:Model": 12"#)?.device == "Apple 12")
    #expect(origin(#""IFD0:Make": "GoPro""#)?.device == "GoPro")
  }

  @Test func commentNamesAProgramOnlyInGimpsWords() {
    #expect(origin(#""PNG:Comment": "Created with GIMP""#)?.program?.name == "GIMP")
    #expect(origin(#""PNG:Comment": "Made by hand""#) == nil)
    let sentence = String(repeating: "love ", count: 20)
    #expect(origin("\"PNG:Comment\": \"Created with \(sentence)\"") == nil)
  }

  @Test(arguments: [
    "[{}]", "[{\"PNG:Software\": {\"a\": 1}}]", "[{\"XMP-xmpMM:History\": [1, \"x\", {}]}]",
    // Data of a document, which says nothing of the document.
    "[{\"JSON:Make\": \"Cyberdyne\", \"JSON:Model\": \"T-800\", \"JSON:Generator\": \"Diesel\"}]",
    "[{\"PLIST:Software\": \"Editor\"}]", "[{\"XML:Software\": \"Editor\"}]",
    "[{\"JSON:Actions\": [{\"softwareAgent\": \"x\"}]}]",
  ])
  func anythingElseSaysNothing(_ text: String) throws {
    #expect(try ExifToolAnswer.origin(Array(text.utf8)) == nil)
  }

  @Test(arguments: [
    "", "[]", "{}", "[1]", "[{", "[{\"PNG:Software\": tru", "\"", "Warning: nothing",
  ])
  func whatIsNoAnswerIsRefused(_ text: String) {
    #expect(throws: ExifToolAnswer.Missing()) { try ExifToolAnswer.origin(Array(text.utf8)) }
  }

  @Test func groupIsNoLongerThanOtherText() {
    let group = String(repeating: "g", count: 300)
    #expect(origin("\"\(group):Software\": \"Editor\"")?.tag == String(group.prefix(200)))
  }

  @Test(
    arguments: [
      ("LibreOffice/7.4.7.2$Linux_X86_64 LibreOffice_project/40$Build-2", "LibreOffice", "7.4.7.2"),
      ("Inkscape 1.2.2 (https://inkscape.org)", "Inkscape", "1.2.2"),
      ("Adobe Photoshop CS5 Windows", "Adobe Photoshop CS5 Windows", nil),
      ("Skia/PDF m156", "Skia/PDF m156", nil), ("GIMP v2.10", "GIMP", "2.10"),
      ("Affinity Photo (Mar 13 2020)", "Affinity Photo (Mar 13 2020)", nil),
      ("(1 2)", "(1 2)", nil),
      ("7-Zip", "7-Zip", nil),
      (
        "Mozilla/5.0 (X11) AppleWebKit/537.36 HeadlessChrome/156.0.0.0 Safari/537.36", "Chrome",
        "156.0.0.0"
      ),
      ("Mozilla/5.0 (X11) Chrome/120.0 Safari/537.36 Edg/120.1", "Microsoft Edge", "120.1"),
      ("Mozilla/5.0 (X11)", "Mozilla", "5.0"), ("www.inkscape.org", "www.inkscape.org", nil),
      ("", "", nil), ("/", "/", nil),
    ] as [(String, String, String?)])
  func wordsOfAProgramHaveItsNameAndVersion(_ words: String, _ name: String, _ version: String?) {
    let program = EmbeddedOrigin.Program(words)
    #expect(program.name == name)
    #expect(program.version == version)
    #expect(program.words == words)
  }
}
