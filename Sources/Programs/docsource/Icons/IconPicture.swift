import AppIcon
import CommandLineInterface
import LinuxSystem
import TextFormats

/// An icon as the PNG that was asked for.
struct IconPicture {
  let size: IconSize
  let options: IconOptions
  let console: Console

  /// The application's own icon as it was made, any other scaled to the size; with its own outline
  /// unless one was asked for. `nil` after saying why there is none.
  func png(of finding: IconFinding) -> [UInt8]? {
    if let picture = finding.picture { return picture }
    guard let path = finding.path, let bytes = InputFile(path: path).read(console) else {
      return nil
    }
    if finding.origin == .remote { return bytes }
    do throws(ChildProcess.Failure) {
      let png = Self.isPNG(bytes) ? bytes : try drawn(svg: bytes, path)
      guard let png else { return nil }
      let words = IconFetching.rendering(size, options.chosenShape ?? .none, options.hasStroke)
      let rendering = try CompanionProgram("docsource-fetch").start(
        (["render"] + words).map { Array($0.utf8) }, input: png, errors: .kept
      ).wait()
      if rendering.status == .done { return rendering.output }
      console.report(path.bytes, "cannot scale: \(EscapedText(rendering.errors))")
    } catch {
      console.report(path.bytes, "cannot scale: \(error)")
    }
    return nil
  }

  /// Pictures without this first word are drawings here: themes have no other kinds.
  private static func isPNG(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0x89, 0x50, 0x4e, 0x47])
  }

  private func drawn(svg: [UInt8], _ path: FilePath) throws(ChildProcess.Failure) -> [UInt8]? {
    guard let program = InstalledProgram("rsvg-convert") else {
      console.report(path.bytes, "an SVG needs rsvg-convert: install the package librsvg2-bin")
      return nil
    }
    let pixels = "\(size.pixels)"
    let words = ["--width", pixels, "--height", pixels, "--keep-aspect-ratio", "--format", "png"]
    let ending = try program.start(words.map { Array($0.utf8) }, input: svg).wait()
    guard ending.status == .done, !ending.output.isEmpty else {
      console.report(path.bytes, "rsvg-convert could not draw it")
      return nil
    }
    return ending.output
  }
}
