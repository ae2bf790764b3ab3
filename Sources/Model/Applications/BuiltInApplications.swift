/// The applications that are known to write the attribute, with what they write.
enum BuiltInApplications {
  /// Textastic and GoCoEdit write it too; what they write is not documented, so they are not here.
  static let all = [
    Application(
      "com.appliedphasor.working-copy", name: "Working Copy",
      appInfoURL: "https://raw.githubusercontent.com/palmin/x-document-source/master/appInfo.json",
      origin: .builtIn)
  ]
}
