import Testing

@testable import CommandLineInterface

@Suite struct ManualPageTests {
  private static let member = CommandDeclaration(
    name: "weigh twice", summary: "weigh files again", operands: "",
    examples: ["scale weigh twice", "scale weigh twice -h"])
  private static let command = CommandDeclaration(
    name: "weigh", summary: "weigh files", operands: "FILE|ID...",
    details:
      ".hidden files are weighed as well. 'scale weigh -u oz' gives ounces with --unit, or -.",
    options: [
      OptionDeclaration("unit", short: "u", value: "UNIT", choices: ["g", "oz"], help: "the unit"),
      OptionDeclaration("dry-run", help: "weigh nothing"),
    ],
    members: [member], examples: ["scale weigh a\\b", "scale weigh '~' \"^`\""],
    manual: ManualText(
      """
      In Z\u{fc}rich
      too:

        a  b
        .c

      # EXIT STATUS

      1:

      2: It @what@.

      # ENVIRONMENT

      SCALE: The scale.

      # FILES

      ~/.scale: Your
      scale.

      # SEE ALSO

      units(7)
      """, ["what": "broke"]))
  private static let topic = TopicDeclaration(
    name: "units", page: "scale-units", section: 7, summary: "units of weight",
    manual: ManualText(
      """
      Units
      differ.

      # SYNOPSIS

        #include <scale.h>

      # OF OLD

      As in:

        {
          1 oz

        }

      No more.

      # SEE ALSO

      units(7)
      """))
  private static let tool = ToolDeclaration(
    name: "scale", summary: "what files weigh", version: "1.2", date: "2026-01-02",
    commands: [command], topics: [topic], examples: ["scale weigh a"],
    manual: ManualText("Files are heavy.\n\n# LICENCE\n\nNone."))

  @Test func verbHasAPageThatIsSafeForRoff() {
    #expect(
      ManualPage.of(Self.command, in: Self.tool) == #"""
        .\" Written by 'scale help --man' from the declarations of the options.
        .TH SCALE\-WEIGH 1 2026-01-02 "scale 1.2"
        .nh
        .nr HY 0
        .ad l
        .SH NAME
        scale\-weigh \- weigh files
        .SH SYNOPSIS
        \fBscale weigh\fR [\fIOPTIONS\fR] \fIFILE\fR|\fIID\fR\&...
        .SH DESCRIPTION
        \&.hidden files are weighed as well.
        \(aqscale weigh \fB\-u\fR oz\(aq gives ounces with \fB\-\-unit\fR, or \-.
        .PP
        In Z\[u00FC]rich too:
        .PP
        .EX
          a  b
          .c
        .EE
        .SH VERBS
        .TP
        \fBscale\-weigh\-twice\fR(1)
        Weigh files again.
        .SH OPTIONS
        .TP
        \fB\-u\fR, \fB\-\-unit\fR=\fIUNIT\fR
        The unit: g, oz.
        .TP
        \fB\-\-dry\-run\fR
        Weigh nothing.
        .TP
        \fB\-h\fR, \fB\-\-help\fR
        Show this help.
        .SH EXIT STATUS
        .TP
        \fB0\fR
        Success.
        .TP
        \fB2\fR
        It broke.
        .TP
        \fB64\fR
        The command line is wrong; nothing was done.
        .SH ENVIRONMENT
        .TP
        \fBSCALE\fR
        The scale.
        .SH FILES
        .TP
        \fB\(ti/.scale\fR
        Your scale.
        .SH EXAMPLES
        .EX
          scale weigh a\(rsb
          scale weigh \(aq\(ti\(aq \(dq\(ha\(ga\(dq
        .EE
        .SH SEE ALSO
        \fBscale\fR(1),
        \fBunits\fR(7)

        """#)
  }

  @Test func topicHasAPageWithItsSections() {
    #expect(
      ManualPage.of(Self.topic, in: Self.tool) == #"""
        .\" Written by 'scale help --man' from the declarations of the options.
        .TH SCALE\-UNITS 7 2026-01-02 "scale 1.2"
        .nh
        .nr HY 0
        .ad l
        .SH NAME
        scale\-units \- units of weight
        .SH SYNOPSIS
        .EX
          #include <scale.h>
        .EE
        .SH DESCRIPTION
        Units differ.
        .SH OF OLD
        As in:
        .PP
        .EX
          {
            1 oz

          }
        .EE
        .PP
        No more.
        .SH SEE ALSO
        \fBscale\fR(1),
        \fBunits\fR(7)

        """#)
    #expect(
      HelpText.of(Self.topic) == """
        scale-units(7): units of weight

          #include <scale.h>

        Units differ.

        OF OLD

        As in:

          {
            1 oz

          }

        No more.

        """)
  }

  @Test func memberWithoutMoreToSaySaysItsSummaryAndNamesWhatGathersIt() {
    let page = ManualPage.of(Self.member, in: Self.tool)
    #expect(page.contains("\n.SH SYNOPSIS\n\\fBscale weigh twice\\fR [\\fIOPTIONS\\fR]\n"))
    #expect(page.contains("\n.SH DESCRIPTION\nWeigh files again.\n.SH OPTIONS\n"))
    #expect(page.hasSuffix("\n.SH SEE ALSO\n\\fBscale\\fR(1),\n\\fBscale\\-weigh\\fR(1)\n"))
    #expect(!page.contains("ENVIRONMENT"))
    #expect(!page.contains("FILES"))
    #expect(!page.contains("VERBS"))
  }

  @Test func pageThatIsNamedTwiceStandsOnce() {
    let member = CommandDeclaration(
      name: "weigh twice", summary: "weigh files again", operands: "",
      examples: ["scale weigh twice", "scale weigh twice -h"],
      manual: ManualText("# SEE ALSO\n\nscale-weigh(1), units(7),\nunits(7)"))
    let tool = ToolDeclaration(
      name: "scale", summary: "what files weigh", version: "1.2", date: "2026-01-02",
      commands: [
        CommandDeclaration(
          name: "weigh", summary: "weigh files", operands: "", members: [member],
          examples: ["scale weigh twice", "scale weigh"])
      ], examples: [])
    #expect(
      ManualPage.of(member, in: tool).hasSuffix(
        "\n.SH SEE ALSO\n\\fBscale\\fR(1),\n\\fBscale\\-weigh\\fR(1),\n\\fBunits\\fR(7)\n"))
  }

  @Test func pageOfTheToolListsItsVerbsAndStatuses() {
    let page = ManualPage.of(Self.tool)
    #expect(
      page.contains(
        """

        .SH SYNOPSIS
        \\fBscale\\fR \\fIVERB\\fR [\\fIOPTIONS\\fR] \\fIFILE\\fR\\&...
        .SH DESCRIPTION
        Files are heavy.
        .SH VERBS
        .TP
        \\fBscale\\-weigh\\fR(1)
        Weigh files.
        .SH OPTIONS
        .TP
        \\fB\\-h\\fR, \\fB\\-\\-help\\fR
        Show this help; after a verb, the help of that verb.
        .TP
        \\fB\\-V\\fR, \\fB\\-\\-version\\fR
        Show the version.
        .SH EXIT STATUS

        """))
    #expect(page.contains("\n.SH LICENCE\nNone.\n.SH EXAMPLES\n"))
    #expect(page.hasSuffix("\n.SH SEE ALSO\n\\fBscale\\-units\\fR(7)\n"))
    for status in ExitStatus.allCases {
      #expect(page.contains("\n\\fB\(status.rawValue)\\fR\n"))
    }
  }
}

@Suite struct TextTemplateTests {
  @Test(arguments: [
    ("of @length-limit@ bytes", "of 9 bytes"), ("@name@", "scale"), ("@name@@name@", "scalescale"),
    ("__@name@_a ${words[@]} __@name@_b", "__scale_a ${words[@]} __scale_b"),
    ("a@b.example, c@d.example @name@", "a@b.example, c@d.example scale"),
    ("@Name@ @ @@ @a b@ @name", "@Name@ @ @@ @a b@ @name"), ("", ""),
  ])
  func placesAreFilled(_ template: String, _ text: String) {
    // What a value has in it is no place.
    let values = ["length-limit": "9", "name": "scale", "text": "@name@"]
    #expect(TextTemplate(template, values).text == text)
    #expect(TextTemplate("@text@", values).text == "@name@")
  }

  @Test(arguments: [
    ("@name@", ["name": "scale"], []), ("", [:], []), ("@name@ @limit@", ["name": "a"], ["limit"]),
    ("name", ["name": "scale"], ["name"]), ("@nam@", ["name": "scale"], ["nam", "name"]),
  ])
  func placesAndValuesWithoutTheOtherAreReported(
    _ template: String, _ values: [String: String], _ mismatches: [String]
  ) {
    #expect(TextTemplate(template, values).mismatches.sorted() == mismatches)
  }
}

@Suite struct HelpTextTests {
  private static let command = CommandDeclaration(
    name: "weigh", summary: "weigh files", operands: "FILE...",
    details: "Files are weighed " + String(repeating: "again and ", count: 12) + "again.",
    options: [
      OptionDeclaration("unit", short: "u", value: "UNIT", choices: ["g", "oz"], help: "the unit"),
      OptionDeclaration("round", help: "round " + String(repeating: "up and down ", count: 8)),
    ],
    filters: [
      OptionDeclaration("heavy", help: "select heavy files"),
      OptionDeclaration(
        "type", short: "t", value: "TYPE", choices: ["f", "d"], help: "select only"),
    ],
    examples: ["scale weigh a", "scale weigh -u oz b"])
  private static let tool = ToolDeclaration(
    name: "scale", summary: "what files weigh", version: "1", date: "2026-01-02",
    commands: [command],
    examples: ["scale weigh a"])

  @Test func verbHelpIsWrappedAndEndsWithExamples() {
    #expect(
      HelpText.of(Self.command, in: Self.tool) == """
        scale weigh: weigh files

        Usage: scale weigh [OPTIONS] FILE...

        Files are weighed again and again and again and again and again and again and
        again and again and again and again and again and again and again.

        Options:
          -u, --unit=UNIT  the unit: g, oz
              --round      round up and down up and down up and down up and down up and
                           down up and down up and down up and down
          -h, --help       show this help

        Filters:
              --heavy      select heavy files
          -t, --type=TYPE  select only: f, d

        Examples:
          scale weigh a
          scale weigh -u oz b

        """)
  }

  @Test func toolHelpListsItsVerbs() {
    #expect(HelpText.of(Self.tool).contains("Verbs:\n  weigh  weigh files\n"))
  }
}
