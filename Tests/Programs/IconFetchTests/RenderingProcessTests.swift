import AppIcon
import Glibc
import IconFetch
import LinuxSystem
import TestSupport
import Testing

struct RenderingProcessTests {
  private func process(
    _ verb: String, milliseconds: Int = 20_000, program: String = PictureProbe.path
  ) throws -> RenderingProcess {
    RenderingProcess(
      program: try #require(FilePath(bytes: Array(program.utf8))),
      arguments: ["PictureProbe", verb], milliseconds: milliseconds)
  }

  private func rendering(_ points: Double = 29) throws -> IconRendering {
    IconRendering(size: try #require(IconSize(points: points, scale: 2)))
  }

  private func expect(
    _ failure: RenderingFailure, from verb: String, _ input: [UInt8] = [],
    milliseconds: Int = 20_000
  ) throws {
    let process = try process(verb, milliseconds: milliseconds)
    let rendering = try rendering()
    #expect(throws: failure) { try process.render(input, rendering) }
  }

  @Test(arguments: [1.0, 29, 512]) func answerIsTheIcon(_ points: Double) throws {
    let png = try Fixture.bytes("Pictures/scaling.png")
    let rendering = try rendering(points)
    #expect(try IconPlace.renderer.render(png, rendering) == rendering.render(png: png))
  }

  @Test func programRunsItselfAsTheProcess() throws {
    let png = try Fixture.bytes("Pictures/scaling.png")
    let rendering = try rendering()
    let execution = try Execution.run(
      [PictureProbe.path, "icon"] + rendering.arguments, input: png)
    #expect(execution.status == 0)
    #expect(try execution.output == rendering.render(png: png))
  }

  @Test func largestInterlacedPictureFitsIntoTheLimits() throws {
    let png = try Fixture.bytes("Pictures/odd/largest-interlaced.png")
    #expect(try PNGHeader(IconPlace.renderer.render(png, rendering(512))).width == 1024)
  }

  @Test func refusalComesInTheWordsOfTheFailure() throws {
    try expect(
      .refused("a side of 30000 pixels is longer than the 2048 allowed (at byte 16)"),
      from: "render", Fixture.bytes("Pictures/damaged/huge.png"))
    try expect(.refused("the header is cut off (at byte 0)"), from: "render")
    try expect(
      .refused("the picture is larger than 2 MiB (at byte 2097152)"), from: "render",
      [UInt8](repeating: 0, count: 3 << 20))
  }

  /// Before it has seen anything of the picture.
  @Test func pictureIsReadInTheSandbox() throws {
    let words = try [PictureProbe.path, "render"] + rendering().arguments
    #expect(try HeldProgram(words, at: .input).limits == .sandbox)
  }

  @Test func endlessOutputIsCutOff() throws {
    try expect(.outputTooLarge, from: "endlessOutput")
  }

  @Test func processThatDoesNotEndIsKilled() throws {
    let start = ContinuousClock.now
    try expect(.timedOut, from: "endlessWait", milliseconds: 300)
    try expect(.timedOut, from: "endlessWords", milliseconds: 300)
    #expect(ContinuousClock.now - start < .seconds(60))
  }

  @Test func inputThatNobodyReadsDoesNotHold() throws {
    try expect(.unexpected(status: 0), from: "silence", [UInt8](repeating: 0, count: 2 << 20))
  }

  @Test func signalIsReported() throws {
    try expect(.ended(signal: SIGXCPU), from: "processorTime")
  }

  @Test func statusThatMeansNothingIsReported() throws {
    try expect(.unexpected(status: 64), from: "nonsense")
  }

  @Test func workThatCannotBeDoneIsNoRefusalOfThePicture() throws {
    let process = RenderingProcess(
      program: try #require(FilePath(bytes: Array(PictureProbe.path.utf8))),
      arguments: ["PictureProbe", "render", "too", "many"])
    let rendering = try rendering()
    let png = try Fixture.bytes("Pictures/odd/plain.png")
    #expect(
      throws: RenderingFailure.unable("the picture cannot be decoded: invalid argument")
    ) { try process.render(png, rendering) }
  }

  @Test func missingProgramIsReported() throws {
    let process = try process("render", program: "/nowhere/at/all")
    let rendering = try rendering()
    #expect(throws: RenderingFailure.system(.noSuchFile)) { try process.render([], rendering) }
  }

  @Test func processLeavesNoDescriptors() throws {
    // Other tests run beside this one, so a leak shows only as growth that stays, with the number of
    // processes.
    let png = try Fixture.bytes("Pictures/odd/plain.png")
    func descriptors() -> Int { (0..<1024).count { fcntl($0, F_GETFD) >= 0 } }
    let before = descriptors()
    for _ in 0..<40 { _ = try process("render").render(png, rendering()) }
    try? Patience.wait { descriptors() < before + 40 }
    #expect(descriptors() < before + 40)
  }
}

/// The program built beside the tests that renders in a sandbox, or tries what one forbids.
enum PictureProbe {
  static let path = Docsource.built("PictureProbe")
}
