import Handoff
import Testing

/// The URLs of mail, messages, calls, maps and services.
@Suite struct ActivityURLTests {
  private func mail(
    _ to: [String], cc: [String] = [], bcc: [String] = [], _ subject: String? = nil,
    _ body: String? = nil
  ) -> ActivityURL.Mail {
    var mail = ActivityURL.Mail()
    (mail.to, mail.cc, mail.bcc, mail.subject, mail.body) = (to, cc, bcc, subject, body)
    return mail
  }

  @Test func mailIsWrittenAsRFC6068HasIt() throws {
    #expect(try mail([]).url() == "mailto:")
    #expect(try mail(["a@b.org", "c+d@e.org"]).url() == "mailto:a@b.org,c%2Bd@e.org")
    let whole = mail(
      ["a@b.org"], cc: ["c@d.org"], bcc: ["e@f.org", "g@h.org"], "a+b & c?#=%;",
      "one\ntwo\r\nthree\rü/")
    #expect(
      try whole.url()
        == "mailto:a@b.org?cc=c@d.org&bcc=e@f.org,g@h.org&subject=a%2Bb%20%26%20c%3F%23%3D%25%3B"
        + "&body=one%0D%0Atwo%0D%0Athree%0D%0A%C3%BC%2F")
    #expect(
      try mail(["a@b.org"], "!$'()*,:@-._~").url()
        == "mailto:a@b.org?subject=%21%24%27%28%29%2A%2C:@-._~")
  }

  @Test func subjectIsOneLine() {
    #expect(mail([], "a\r\nBcc: x@y.org\u{85}b\t\u{2028} c\n").subject == "a Bcc: x@y.org b  c")
    #expect(mail([], "\n").subject == "")
  }

  @Test(arguments: [
    "-a@b.org", "", "a", "a@", "@b", "a@b@c", "a b@c.org", "a@b.org\n", "a@b.org,c@d.org",
    "a@b.org?bcc=x@y.org\u{0}", "<a@b.org>", "a:b@c.org", "--attach@b.org", "\"\"@b.org",
    "\"@b.org",
    "\"a@b.org", "\"a\"b\"@c.org", "\"a,b\"@c.org", "\"a\\b\"@c.org", "\"-a\"@b.org",
    "\"a\nb\"@c.org",
  ])
  func whatIsNoAddressIsRefused(_ address: String) {
    #expect(throws: ActivityURL.Failure.self) { try mail([address]).url() }
    #expect(throws: ActivityURL.Failure.self) { try mail([], cc: [address]).url() }
  }

  @Test func fieldsOfAnAddressStayInIt() throws {
    #expect(try mail(["a@b.org?bcc=x"]).url() == "mailto:a@b.org%3Fbcc%3Dx")
    #expect(try mail(["a@b.org&body=x"]).url() == "mailto:a@b.org%26body%3Dx")
  }

  @Test func messageIsWrittenAsRFC5724HasIt() throws {
    #expect(try ActivityURL.sms(["+49 (30) 12-34.5"], body: nil) == "sms:+493012345")
    #expect(
      try ActivityURL.sms(["112", "+1-201"], body: "a b\nc&d")
        == "sms:112,+1201?body=a%20b%0D%0Ac%26d")
    let read = try ActivityURL.message(in: "SMS://+1-201,112?body=a%20b%0D%0A%C3%BC&other=x")
    #expect(read.numbers == ["+1201", "112"] && read.body == "a b\r\nü")
  }

  @Test(arguments: ["", "a@b.org", "+", "12a", "1+2", "１２", "-", "1\n2", "*31#", "12;ext=5"])
  func whatIsNoNumberIsRefused(_ number: String) {
    #expect(throws: ActivityURL.Failure.self) { try ActivityURL.sms([number], body: nil) }
    #expect(throws: ActivityURL.Failure.self) { try ActivityURL.tel(number) }
  }

  @Test func callIsWrittenAsRFC3966HasIt() throws {
    #expect(try ActivityURL.tel("+49 30/1".filter { $0 != "/" }) == "tel:+49301")
    #expect(try ActivityURL.tel("TEL:+1-201-555-0123") == "tel:+12015550123")
    #expect(
      #expect(throws: ActivityURL.Failure.self) { try ActivityURL.tel("sms:1") }?.description
        == "'sms:1' is not a telephone number")
  }

  @Test(arguments: ["tel:%00", "tel:1%00", "tel:%ff", "tel:%2", "tel:1;ext=5", "tel", "Tel:a"])
  func whatIsNoNumberInAURLIsRefused(_ url: String) {
    #expect(throws: ActivityURL.Failure.self) { try ActivityURL.tel(url) }
  }

  @Test(arguments: [
    ("MailTo://x@y.z", "mailto:x@y.z"), ("sms:///1", "sms:1"), ("tel:/1", "tel:1"),
    ("geo://1,2?q=a//b", "geo:1,2?q=a%2F%2Fb"), ("maps://?q=a", "maps:?q=a"),
    ("https://e.org//?attach=a", "https://e.org//?attach=a"), ("mailto", "mailto"), (":", ":"),
    ("mailto:", "mailto:"), ("mailto://", "mailto:"), ("//sms:1", "//sms:1"), ("", ""),
    (
      "mailto:?to=a@x,%20b@y&CC=c@z&subject=a%0Ab&body=1%0A2+3",
      "mailto:a@x,b@y?cc=c@z&subject=a%20b&body=1%0D%0A2%2B3"
    ),
    ("mailto:ann@x?subject=q&subject", "mailto:ann@x?subject=q"),
    ("mailto:a@x%3Fattach=b", "mailto:a@x%3Fattach%3Db"),
    ("tel:+1-201;EXT=12", "tel:+1201;ext=12"), ("sms:+1&body=a%26b", "sms:+1?body=a%26b"),
    ("maps://maps.apple.com/?ll=1,2&z=3", "maps:?ll=1,2&z=3"), ("maps:", "maps:"),
    ("callto://+43-1", "callto:+431"), ("FaceTime:ann@x", "facetime:ann@x"),
    ("facetime-audio://1", "facetime-audio:1"), ("smsto:+1;+2?body=a", "smsto:+1,+2?body=a"),
    ("mailto:%22a%20b%22@x", "mailto:%22a%20b%22@x"),
    ("mailto:%22not%40me%22@x?to=%22a%22@y", "mailto:%22not@me%22@x,%22a%22@y"),
    ("sms:/open?addresses=+1,+2&body=a", "sms:+1,+2?body=a"), ("sms:+1;+2", "sms:+1,+2"),
    ("sms://open?addresses=1", "sms:1"), ("tel:+431234,,45", "tel:+431234,,45"),
    ("tel:+43-1,,4P5w;ext=1", "tel:+431,,4p5w;ext=1"),
    ("geo:48.2,16.3;crs=WGS84;U=3", "geo:48.2,16.3;crs=wgs84;u=3"),
    ("geo:48.2,16.3;crs=wgs84", "geo:48.2,16.3;crs=wgs84"),
    ("geo:0,0?q=1600+Amphitheatre+Pkwy%2B1", "geo:0,0?q=1600%20Amphitheatre%20Pkwy%2B1"),
    ("maps:?q=Mexican+Restaurant&sll=1,2", "maps:?q=Mexican%20Restaurant&sll=1,2"),
    ("mailto:a+b@x?subject=1+1", "mailto:a%2Bb@x?subject=1%2B1"),
    ("sms:+1?body=1+1", "sms:+1?body=1%2B1"),
  ])
  func urlsOfServicesAreBuiltAnew(_ url: String, _ rebuilt: String) throws {
    #expect(try ActivityURL.rebuilt(url).url == rebuilt)
    #expect(try ActivityURL.rebuilt(rebuilt) == (rebuilt, []))
  }

  @Test(arguments: [
    (
      "mailto:ann@x?attach=/etc/passwd&bcc=evil@x", "mailto:ann@x",
      ["attach=/etc/passwd", "bcc=evil@x"]
    ),
    (
      "mailto:ann@x?%61ttach=/etc/passwd&ATTACHMENT=b&body=a&body=b&x", "mailto:ann@x?body=a",
      ["attach=/etc/passwd", "attachment=b", "body=b", "x"]
    ),
    ("tel:1;phone-context=e.org;ext=x?a=b", "tel:1", ["phone-context=e.org", "ext=x", "a=b"]),
    ("sms:1?body=a&body=b&attach=c", "sms:1?body=a", ["body=b", "attach=c"]),
    (
      "mailto:Ann%20%3Cann@x%3E?cc=%22B,%20C%22%20%3Cb@x%3E,c@x", "mailto:ann@x?cc=b@x,c@x",
      ["Ann", "B, C"]
    ),
    ("mailto:%3Cann@x%3E", "mailto:ann@x", []),
    ("sms:+1;phone-context=e.org,+2?body=a", "sms:+1,+2?body=a", ["phone-context=e.org"]),
    ("sms:/open?addresses=1&body=a&service=b", "sms:1?body=a", ["service=b"]),
    ("geo:1,2?q=a&x=y", "geo:1,2?q=a", ["x=y"]),
    ("maps:Vienna?q=a&script=b", "maps:?q=a", ["Vienna", "script=b"]),
  ])
  func otherFieldsAreLeftOut(_ url: String, _ rebuilt: String, _ leftOut: [String]) throws {
    #expect(try ActivityURL.rebuilt(url) == (rebuilt, leftOut))
  }

  @Test(arguments: [
    ("tel:*%2306%23", "'*#06#' is a code for the telephone, which is never dialled"),
    ("TEL:*21*+43900", "'*21*+43900' is a code for the telephone, which is never dialled"),
    ("tel:1;ext=*21", "'tel:1;ext=*21' is a code for the telephone, which is never dialled"),
    ("sms:%2331%231", "'#31#1' is a code for the telephone, which is never dialled"),
    ("tel:1,,*21", "'1,,*21' is a code for the telephone, which is never dialled"),
    ("tel:,1", "',1' is not a telephone number"), ("tel:1,a", "'1,a' is not a telephone number"),
    ("tel:\u{308}*#06#", "'\u{308}*#06#' is a code for the telephone, which is never dialled"),
    ("callto:*%2306%23", "'*#06#' is a code for the telephone, which is never dialled"),
    ("facetime:*21*1", "'*21*1' is a code for the telephone, which is never dialled"),
    ("facetime:*1@x", "'*1@x' is a code for the telephone, which is never dialled"),
    ("facetime-audio:%2331%231", "'#31#1' is a code for the telephone, which is never dialled"),
    ("smsto:%2331%231", "'#31#1' is a code for the telephone, which is never dialled"),
    ("callto:ann", "'ann' is not a telephone number"),
    ("sms:1;ext=*2", "'sms:1;ext=*2' is a code for the telephone, which is never dialled"),
    (
      "sms:/open?addresses=*%2306%23", "'*#06#' is a code for the telephone, which is never dialled"
    ),
    ("sms:open", "'open' is not a telephone number"),
    ("mailto:Ann%20%3Cann@x,%20b@x%3E", "'Ann <ann@x' is not a mail address"),
    ("mailto:%3C-x@x%3E", "'-x@x' is not a mail address"),
    ("mailto:a", "'a' is not a mail address"),
    ("mailto:a%2Cb@x", "'a,b@x' is not a mail address"),
    ("mailto:a@x?cc=b%0D%0ABcc:c@x", "'b\\r\\nBcc:c@x' is not a mail address"),
    ("mailto:%ff", "'mailto:%ff' is not UTF-8"),
    ("sms:1?body=%00", "'sms:1?body=%00' is not UTF-8"), ("geo:a", "'geo:a' is not a place"),
    ("tel:", "'tel:' is not a telephone number"),
  ])
  func whatServicesDoNotTakeIsRefused(_ url: String, _ message: String) {
    let failure = #expect(throws: ActivityURL.Failure.self) { try ActivityURL.rebuilt(url) }
    #expect(failure?.description == message)
  }

  @Test(arguments: [
    ("52.5,13.4", "geo:52.5,13.4"), ("-33.9, -151.2, 12", "geo:-33.9,-151.2,12"),
    ("Unter den  Linden\n77, Berlin", "geo:0,0?q=Unter%20den%20Linden%2077%2C%20Berlin"),
    ("geo:1,2;crs=wgs84;u=35?q=a%20b", "geo:1,2;crs=wgs84;u=35?q=a%20b"),
    ("GEO:1,2?z=11&x=y", "geo:1,2?z=11"), ("maps:?q=a+b", "geo:0,0?q=a%20b"),
    ("maps:?q=Caf%C3%A9", "geo:0,0?q=Caf%C3%A9"),
    ("maps://?ll=50.1,8.6&q=Bank", "geo:50.1,8.6?q=Bank"), ("5,6,7,8", "geo:0,0?q=5%2C6%2C7%2C8"),
  ])
  func placeIsWrittenAsRFC5870HasIt(_ text: String, _ url: String) throws {
    #expect(try ActivityURL.geo(text) == url)
  }

  @Test(arguments: [
    ("maps:?q=a&near=b+c&sll=1,2&t=h&z=3", ["near=b c", "sll=1,2", "t=h"]),
    ("maps:?address=a&q=b&ll=1,2&ll=3,4", ["q=b", "ll=3,4"]), ("geo:1,2?q=a&x=y", ["x=y"]),
    ("maps:?q=a", []), ("1,2", []), ("https://e.org/?near=a", []),
  ])
  func whatAPlaceLosesIsNamed(_ text: String, _ lost: [String]) {
    #expect(ActivityURL.leftOut(ofPlace: text) == lost)
  }

  @Test(arguments: [
    "", " \n", "91,0", "0,181", "geo:a", "geo:1,2;x=y", "geo:1,2;u=-1", "maps:", "maps:?x=y",
    "geo:1,2?q=%ff", "geo:1",
  ])
  func whatIsNoPlaceIsRefused(_ text: String) {
    #expect(throws: ActivityURL.Failure.self) { try ActivityURL.geo(text) }
  }

  @Test func postsGoToThePagesOfServices() throws {
    #expect(
      try ActivityURL.post(to: .twitter, text: "a & b", url: "https://e.org/?x=1#y")
        == "https://x.com/intent/tweet?text=a%20%26%20b&url=https%3A%2F%2Fe.org%2F%3Fx%3D1%23y")
    #expect(
      try ActivityURL.post(to: .facebook, text: "a", url: "https://e.org")
        == "https://www.facebook.com/sharer/sharer.php?u=https%3A%2F%2Fe.org")
    #expect(
      try ActivityURL.post(to: .weibo, text: "你", url: nil)
        == "https://service.weibo.com/share/share.php?title=%E4%BD%A0")
    for (name, text, reason) in [
      (.facebook, "a", "Facebook's page takes the URL of a web page"),
      (.twitter, nil, "there is neither a text nor a URL to post"),
    ] as [(ActivityURL.Service, String?, String)] {
      let failure = #expect(throws: ActivityURL.Failure.self) {
        try ActivityURL.post(to: name, text: text, url: nil)
      }
      #expect(failure?.description == reason)
    }
  }
}
