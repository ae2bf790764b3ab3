/// The general MIME types that another one can be a kind of.
public struct MIMEClasses: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// `text/plain`.
  public static let plainText = MIMEClasses(rawValue: 1)
  /// `application/xml`.
  public static let xml = MIMEClasses(rawValue: 2)
  /// `application/zip`.
  public static let zip = MIMEClasses(rawValue: 4)
}
