/// A form in which other systems and programs look for marks of origin.
public enum MarkForm: CaseIterable, Sendable {
  /// An AppleDouble file beside the document, for file systems without attributes and for Macs.
  case appleDouble
  /// `user.xdg.origin.url`, `user.xdg.referrer.url`, and `user.creator` for the application.
  case xdg
  /// Windows' zone as `user.Zone.Identifier`, which ntfs-3g stores as the stream of that name.
  case zone
}
