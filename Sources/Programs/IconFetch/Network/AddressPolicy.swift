/// Which addresses may be connected to: those of the public internet.
///
/// IPv4 but for the IANA special-purpose blocks and multicast; IPv6 in 2000::/3 but for 2001::/23,
/// 2001:db8::/32, 2002::/16 and 3fff::/20. IPv4-mapped and NAT64 addresses are judged by the IPv4
/// address in them.
public enum AddressPolicy {
  /// The block for which an address is refused, or `nil` where it is allowed.
  public static func refusal(of address: InternetAddress) -> AddressBlock? {
    guard case .v6(let number) = address else {
      return AddressBlock.refusedIPv4.first { $0.contains(address) }
    }
    if AddressBlock.embedding.contains(where: { $0.contains(address) }) {
      return refusal(of: .v4(UInt32(truncatingIfNeeded: number)))
    }
    let blocks =
      AddressBlock.globalUnicast.contains(address)
      ? AddressBlock.refusedIPv6 : AddressBlock.otherIPv6
    return blocks.first { $0.contains(address) }
  }
}
