import CommandLineInterface
import IconFetch

/// Fetches one URL as an image would be and writes its body to standard output.
struct GetJob {
  let url: String

  func run(_ console: Console) -> ExitStatus {
    do {
      let override = try TestOverride.fromEnvironment()
      if let override { console.say(override.warning) }
      let session = FetchSession(override: override)
      console.output.write(try session.fetch(FetchRequest(url, limits: .image)).body)
      return .done
    } catch {
      console.say("\(error)")
      return .failed
    }
  }
}
