/// How docsource has docsource-share hand things over. The words are on standard input, each with a
/// NUL behind it: they can be anybody's private ones, and the arguments of a program are not.
package enum HandoffProtocol {
  package enum Job: String {
    /// Lets the portal write a mail: `to`, `cc`, `bcc`, `subject`, `body` or `attach`, and the value
    /// of each. The answer is a record `portal` or `failed` of `DesktopProtocol`.
    case mail
    /// Adds a web page to a list: URL, title, description and MIME type, the second and third perhaps
    /// empty, then the list as XBEL, or nothing. The answer is the new list; status 2 with words on
    /// standard error where the list cannot be read.
    case bookmark
    /// Reads such a list, which is all of standard input. The answer is the URL, title and description
    /// of each page, perhaps empty, each with a NUL behind it.
    case bookmarks
    /// Removes a page from a list: its URL, then the list. The answer is the new list.
    case removal
  }

  package static func words(_ texts: [[UInt8]]) -> [UInt8] {
    texts.flatMap { $0.filter { $0 != 0 } + [0] }
  }
}
