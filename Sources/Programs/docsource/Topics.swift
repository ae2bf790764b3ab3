import CommandLineInterface

/// The manual pages that belong to no verb.
enum Topics {
  static let all = [
    TopicDeclaration(
      name: "marks", page: "docsource-marks", section: 7,
      summary: "marks of origin: what they say and where they are stored",
      manual: ManualText(Manual.marks)),
    TopicDeclaration(
      name: "sharing", page: "docsource-sharing", section: 7,
      summary: "share items, rules, activities, links and intents: how they belong together",
      manual: ManualText(Manual.sharing)),
    TopicDeclaration(
      name: "file-managers", page: "docsource-file-managers", section: 7,
      summary: "see source applications in Nautilus, Nemo, Caja, Thunar and Dolphin",
      manual: ManualText(Manual.fileManagers)),
    TopicDeclaration(
      name: "library", page: "documentsource", section: 3,
      summary: "read and write which application a file came from",
      manual: ManualText(Manual.library)),
  ]
}
