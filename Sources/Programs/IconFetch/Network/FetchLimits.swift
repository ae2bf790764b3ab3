/// How much one fetch may take, of bytes and of time.
public struct FetchLimits: Hashable, Sendable {
  /// The body, in bytes, counted while it is received.
  public var body: Int
  /// The body where it begins as a PNG does, in bytes; `nil` where that makes no difference.
  public var picture: Int?
  /// All header lines of one response, in bytes.
  public var header = 32 << 10
  /// The header lines of one response.
  public var headerLines = 128
  /// How often a redirect is followed.
  public var redirects = 3
  /// Until a connection stands, TLS included, in milliseconds.
  public var connect = 3_000
  /// For one request, in milliseconds.
  public var request = 8_000
  /// For all requests of a redirect together, in milliseconds.
  public var total = 15_000
  /// The fewest bytes a second, measured over `slowSeconds`.
  public var slowRate = 200
  /// For how many seconds a transfer may be slower than `slowRate`.
  public var slowSeconds = 5

  public init(body: Int, picture: Int? = nil) {
    self.body = body
    self.picture = picture
  }

  /// Whatever it is; in bytes.
  var largestBody: Int { max(body, picture ?? 0) }

  /// For appInfo.json: 64 KiB; for a picture in its place as for any.
  public static let json = FetchLimits(body: 64 << 10, picture: image.body)
  /// For an image: 2 MiB.
  public static let image = FetchLimits(body: 2 << 20)
}
