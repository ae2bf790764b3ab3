import Foundation

/// The program built beside the tests that renders in a sandbox, or tries what one forbids.
enum PictureProbe {
  static let path: String = {
    var directory = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    repeat {
      directory.deleteLastPathComponent()
      let probe = directory.appending(path: "PictureProbe").path
      if FileManager.default.isExecutableFile(atPath: probe) { return probe }
    } while directory.path != "/"
    return "PictureProbe"
  }()
}
