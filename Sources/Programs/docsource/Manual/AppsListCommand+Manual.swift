import CommandLineInterface

extension AppsListCommand {
  static var manual: ManualText {
    ManualText(
      [
        """
        Letters match in either case, and a GLOB must match the whole identifier or the whole \
        name, in any language that it is known in here. With --origin, only values from there are \
        shown, and applications that are known from there.
        """,
        """
        With --json the members are identifier; name, the one in no particular language; \
        localizedName; appInfoURL; origin, where the application is known from first (user, \
        installed or built-in); and sources, each with origin, name, appInfoURL and path.
        """,
      ],
      exitStatus: AppsCommand.listStatus,
      environment: AppsCommand.environment + AppsCommand.languages, files: AppsCommand.files)
  }
}
