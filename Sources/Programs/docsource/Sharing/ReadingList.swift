import CommandLineInterface
import Handoff
import LinuxSystem
import TextFormats

/// The user's reading list: its commands.
struct ReadingList {
  /// Checks that no list is empty for what stands in its place.
  ///
  /// - Throws: `UserFile.Failure` for a link that leads nowhere, and for a FIFO or another thing.
  private func check() throws(UserFile.Failure) {
    guard (try? FileStatus(path, links: .noFollow)) != nil else { return }
    guard let status = try? FileStatus(path, links: .follow) else {
      throw UserFile.Failure(path: path, reason: "cannot read: the link leads nowhere")
    }
    guard status.kind == .file else {
      throw UserFile.Failure(path: path, reason: "cannot read: not a regular file")
    }
  }

  private let path: FilePath
  private let console: Console
  private let desktop: any DesktopClient = ShareCompanion()

  /// `nil` after reporting why there is none.
  init?(_ places: BaseDirectories, _ console: Console) {
    guard let path = ReadingListFile.path(in: places) else {
      console.say("cannot locate the reading list: \(BaseDirectories.Home.data.absence)")
      return nil
    }
    self.path = path
    self.console = console
  }

  private func pages(_ list: [UInt8]) throws(UserFile.Failure) -> [Bookmark] {
    do throws(DesktopFailure) {
      return try desktop.bookmarks(in: list)
    } catch {
      throw UserFile.Failure(path: path, reason: error.description)
    }
  }

  private func report(_ failure: UserFile.Failure) -> ExitStatus {
    console.fail((failure.path ?? path).bytes, failure.reason)
    return .failed
  }

  /// Writes the pages.
  func show() -> ExitStatus {
    do throws(UserFile.Failure) {
      try check()
      for page in try pages(try ReadingListFile.file(path).content() ?? []) {
        if console.writesObjects {
          console.write(
            JSONText.member("url", page.url)
              + (page.title.isEmpty ? [] : JSONText.member("title", page.title))
              + (page.description.isEmpty
                ? [] : JSONText.member("description", page.description)))
        } else {
          let title = page.title.isEmpty ? "" : "\t\(EscapedText(page.title))"
          console.output.writeLine("\(EscapedText(page.url))\(title)")
        }
      }
      return .done
    } catch {
      return report(error)
    }
  }

  /// Removes pages, and says which ones.
  func remove(_ urls: [[UInt8]], isDry: Bool) -> ExitStatus {
    var removed: Set<[UInt8]> = []
    /// The list without the pages; `nil` if it has none of them.
    func without(_ list: [UInt8]?) throws(UserFile.Failure) -> [UInt8]? {
      guard var list else { return nil }
      let known = Set(try pages(list).map { Array($0.url.utf8) })
      removed = known.intersection(urls)
      guard !removed.isEmpty else { return nil }
      do throws(DesktopFailure) {
        for url in known.intersection(urls).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
          list = try desktop.removing(url: String(decoding: url, as: UTF8.self), from: list)
        }
      } catch {
        throw UserFile.Failure(path: path, reason: error.description)
      }
      return list
    }
    do throws(UserFile.Failure) {
      try check()
      let file = ReadingListFile.file(path)
      if isDry {
        _ = try without(try file.content())
      } else {
        try file.edit { content throws(UserFile.Failure) in try without(content) }
      }
    } catch {
      return report(error)
    }
    return urls.reduce(.done) { status, url in
      let isRemoved = removed.contains(url)
      write(url, isRemoved, isDry)
      return isRemoved ? status : status.combined(with: .noSource)
    }
  }

  private func write(_ url: [UInt8], _ isRemoved: Bool, _ isDry: Bool) {
    if console.writesObjects {
      console.write(
        JSONText.path(url[...], key: "url")
          + JSONText.member("outcome", isRemoved ? "removed" : "unchanged")
          + (isDry ? [("dryRun", "true")] : []))
    } else if isRemoved {
      console.output.writeLine("\(EscapedText(url)): \(isDry ? "would be removed" : "removed")")
    } else {
      console.report(url[...], "not in the reading list")
    }
  }
}
