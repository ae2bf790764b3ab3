/// How docsource has docsource-share hand things over: a message on standard input is answered by one
/// on standard output. Its texts can be anybody's private ones, and the arguments of a program are
/// not.
package enum HandoffProtocol {
  package enum Job: String {
    /// Lets the portal write a mail: `to`, `cc`, `bcc`, `subject`, `body` or `attach`, and the value
    /// of each. The answer is a record `portal` or `failed` of `DesktopProtocol`.
    case mail
    /// Adds a web page to a list: URL, title, description and MIME type, the second and third perhaps
    /// empty, then the list as XBEL, or an empty one. The answer is the new list; status 2 with words
    /// on standard error if the list cannot be read.
    case bookmark
    /// Reads such a list. The answer is the URL, title and description of each page, perhaps empty.
    case bookmarks
    /// Removes a page from a list: its URL, then the list. The answer is the new list.
    case removal
  }

  /// More bytes than a list of bookmarks and the texts of a mail have.
  package static let messageLimit = 64 << 20

  /// A request of texts and perhaps a list. A NUL in a text is left out: GLib has none in texts.
  package static func request(_ texts: [[UInt8]], list: [UInt8]? = nil) -> CompanionMessage {
    CompanionMessage(texts.map { $0.filter { $0 != 0 } } + (list.map { [$0] } ?? []))
  }
}
