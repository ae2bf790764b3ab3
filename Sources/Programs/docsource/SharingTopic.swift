import CommandLineInterface

/// docsource-sharing(7): how rule, item, link, intent, share and open belong together.
enum SharingTopic {
  static let declaration = TopicDeclaration(
    name: "sharing", page: "docsource-sharing", section: 7,
    summary: "share items, rules, activities, links and intents: how they belong together",
    manual: manual)

  private static let manual = ManualText(
    """
    Where did this file come from, and what can be done with it next? A document that is handed from
    one application to another passes three stages, and docsource has verbs for each of them:

      received     item show, item extract,    a share item or an attributed link
                   link parse                  arrives
      kept         item apply, link apply,     what it says is kept with the file,
                   tag, show, trace            beside the document source
      handed over  rule, share, open,          what fits is found and ranked, and
                   item send, intent           gets the file with what is known
                                               of it

    The forms are those of five systems of iOS. Values, names and rules are the same, so that what an
    iOS app wrote is read here, and the other way round. Where Linux works in another way, this page
    and the page of the verb say so.
    """,
    sections: [words, directories, absent, flow],
    seeAlso: [
      "docsource-item(1)", "docsource-link(1)", "docsource-rule(1)", "docsource-share(1)",
      "docsource-open(1)", "docsource-intent(1)", "docsource-marks(7)",
    ])

  private static let words = ManualText.Section(
    "THE WORDS OF EACH SYSTEM",
    """
    XExtensionItem defines what an app says of what it hands over; docsource-item(1):

      XExtensionItemSource           what 'item make' builds
      NSExtensionItem, userInfo      a share item, NAME.xei
      attributedTitle                title, --title
      attributedContentText          text, --content
      main attachment                --url, --text or --file
      additionalAttachments          --attach, --attach-for
      itemForActivityType            --url-for, --text-for, --item-for,
                                     --nothing-for
      subjectForActivityType         --subject-for
      dataTypeIdentifier             --type, --type-for
      thumbnailProvider              --thumbnail, --thumbnail-for
      tags, sourceURL                --tag, --source-url
      XExtensionItemReferrer         --referrer-name and its like
      custom parameters              --custom

    Share extensions say with a rule for which content they are offered; docsource-rule(1):

      NSExtensionActivationRule      RULE, 'rule match' and 'rule explain'
      share extension                a share target, NAME.target
      extensionContext.inputItems    the item on standard input
      completeRequestReturningItems  status 0, an item on standard output
      cancelRequestWithError         status 1
      isContentValid                 Validate= of the target
      configurationItems             Options= of the target, --option
      app group, NSUserDefaults      'item container'
      UTI, UTType                    a uniform type, 'rule type'

    UIActivityViewController offers what can be done with a document; docsource-share(1):

      UIActivityViewController       share, and the dialog of file managers
      activityType                   TARGET, mail or com.apple.UIKit.activity.Mail
      excludedActivityTypes          --exclude
      custom UIActivity              NAME.activity
      activityImage                  Icon= of the activity
      completionWithItemsHandler     outcome, completed and item of --json

    IntentKit names what an application does for another; docsource-intent(1):

      INKMailHandler and the others  CLASS, 'intent list'
      sendMailTo: and the others     COMMAND, 'intent perform'
      canPerformCommand              'intent perform --dry-run'
      INKDefaultsManager             'intent default'
      INKActivityPresenter           the choice on the terminal, --ask
      Apps/NAME.plist                a catalogue in intents.d

    Pocket's helper for host apps says in a link which app shared it; docsource-link(1):

      hostAppName, app_name          APP, --app
      canUseHelperForActivityType    'link can'
      extensionsave                  the form of the link
    """)

  private static let directories = ManualText.Section(
    "DIRECTORIES",
    """
    All of these are below $XDG_DATA_HOME/docsource, by default ~/.local/share/docsource, and below
    docsource in the directories of $XDG_DATA_DIRS, where packages install them. The user's own come
    first, and of several files with one name the first counts.

      targets/NAME.target            share targets; docsource-item-send(1)
      activities/NAME.activity       activities; docsource-share(1)
      intents.d/NAME                 catalogues; docsource-intent(1)

    Only the user's own count of types.d/NAME.json there, uniform types as in docsource-rule-type(1),
    of the reading list reading-list.xbel, of app-groups/GROUP beside the directory docsource, and of
    intents.list below $XDG_CONFIG_HOME/docsource, the defaults of classes without a scheme.

    Name= of a target and Title= of an activity are what people see in lists and in the dialog,
    Name[de]= and Title[de]= the same in a language, and Icon= of an activity is an icon of the theme.
    """)

  private static let absent = ManualText.Section(
    "WHAT LINUX DOES NOT HAVE",
    """
    Of these parts of iOS nothing corresponds on Linux:

      loadPreviewView                  targets have no view in another program;
                                       the dialog shows the item's thumbnail
      reloadConfigurationItems         options are declared once, in the target
      presentationAnimationDidFinish   nothing is animated
      activityViewController,          a program opens windows of its own, and a
      view controllers, popovers       web page is opened in the browser
      lazy item providers              everything is in the item when it is made
      entitlements, sandboxes          programs of one user are kept apart by
                                       the permissions of files
      UIColor and NSDictionary on the  the clipboard gets text or files
      clipboard, UIPrintPageRenderer   and lp prints files
      iCloud container display names   a document source has the name of an app
      document providers               'docsource watch' writes the source, and
                                       the libraries for C, Python and Swift
      subspecs of CocoaPods, Carthage  the packages of Debian and of SwiftPM

    Accounts of the system for Facebook, Twitter and Weibo are pages of the web here, where the user
    posts; Flickr, Vimeo and Tencent Weibo are listed with the reason why they are unavailable.
    """)

  private static let flow = ManualText.Section(
    "FROM AN INFO.PLIST TO A SHARE TARGET",
    """
    The Info.plist of an iOS share extension serves as the rule of a share target as it is. This target
    is a program in Python; it needs the package python3-minimal, and python3 for plistlib.

      $ cat > Info.plist <<'END'
      > <plist version="1.0"><dict><key>NSExtension</key><dict>
      >   <key>NSExtensionAttributes</key><dict>
      >     <key>NSExtensionActivationRule</key><dict>
      >       <key>NSExtensionActivationDictionaryVersion</key>
      >       <integer>2</integer>
      >       <key>NSExtensionActivationSupportsWebURLWithMaxCount</key>
      >       <integer>1</integer>
      >     </dict></dict></dict></dict></plist>
      > END
      $ docsource rule lint Info.plist && docsource rule match Info.plist --as url https://example.com/
      Info.plist: matches
      $ cat > reader.py <<'END'
      > import plistlib, sys
      > item = plistlib.load(sys.stdin.buffer)
      > title = item.get("NSExtensionItemAttributedTitleKey", "no title")
      > for document in item["NSExtensionItemAttachmentsKey"]:
      >     print(title + ":", document.get("value", document.get("path")), file=sys.stderr)
      > END
      $ mkdir -p ~/.local/share/docsource/targets
      $ cat > ~/.local/share/docsource/targets/com.example.Reader.Share.target <<END
      > [Share Target]
      > Name=Save in Reader
      > Exec=python3 $PWD/reader.py
      > RuleFile=$PWD/Info.plist
      > END
      $ docsource share --to com.example.Reader.Share --subject Apples https://example.com/apples
      Apples: https://example.com/apples
      https://example.com/apples: handed over to Save in Reader

    Exec runs once for each item. The program reads it as a binary property list, and may write one to
    standard output as the item that it hands back. Its errors are for the user.
    """)
}
