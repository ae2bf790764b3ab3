extension ZoneIdentifier {
  /// The stream as Windows writes it: UTF-8, lines that end with CR and LF.
  ///
  /// A field with a control character in it would be read as others, and is left out.
  public var encoded: [UInt8] {
    var lines = ["[ZoneTransfer]"]
    func add(_ name: String, _ text: String?) {
      guard let text, text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else { return }
      lines.append("\(name)=\(text)")
    }
    add("ZoneId", zone.map { String($0.rawValue) })
    add("ReferrerUrl", referrerURL)
    add("HostUrl", hostURL)
    add("LastWriterPackageFamilyName", lastWriter)
    add("HostIpAddress", hostAddress)
    return lines.flatMap { Array($0.utf8) + [0x0d, 0x0a] }
  }
}
