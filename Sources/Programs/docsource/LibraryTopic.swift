import CommandLineInterface

/// documentsource(3): the library in C, C++, Python and Swift.
enum LibraryTopic {
  static let declaration = TopicDeclaration(
    name: "library", page: "documentsource", section: 3,
    summary: "read and write which application a file came from", synopsis: synopsis,
    manual: manual)

  private static let synopsis = """
      #include <documentsource.h>

      cc letter.c $(pkg-config --cflags --libs documentsource) -o letter
    """

  private static let manual = ManualText(
    """
    libdocumentsource reads, writes and removes the document source that docsource-marks(7)
    describes, reads the marks of other systems, and finds the icons of applications. It has a
    header for C, <documentsource.h>, a header for C++17, <documentsource.hpp>, and a module for
    Python 3, documentsource. Swift programs use the package instead; see below. The header, which
    documents every function, option and status, is the reference; this page is an overview.

    Programs that use the library do not need Swift. The library needs libattr, libjansson and
    libmd, and uses neither the network nor image libraries; reading takes 1.8 times as long as a
    plain fgetxattr(2), and loading the library takes about 2 ms. The packages are
    libdocumentsource1, libdocumentsource-dev and python3-documentsource; from source, 'make && make
    lib && sudo make install' installs the library, both headers, a pkg-config file and the Python
    module. Complete programs in each language are in Sources/Integrations/examples and in the
    examples directories of the packages' documentation.
    """,
    sections: [
      ManualText.Section(
        "RULES",
        """
        Files are named by path, by descriptor (_fd), or by name in an open directory (_at). Handles
        are opaque; the caller frees a handle with the function _free of its type, and strings stay
        valid until then. Strings end with a NUL and are UTF-8, except for paths.

        Every pointer may be NULL. No argument and no file content ends the process; only running
        out of memory does. All functions may be called from any thread, and after fork(2). Later
        versions add functions, options and statuses, but never change or remove any; the soname is
        libdocumentsource.so.1.

        Strings in marks come from strangers and may contain anything: escape them before showing
        them.
        """),
      ManualText.Section(
        "FUNCTIONS",
        """
        The source of a file. docsource_write replaces the value atomically, keeps values that are
        NULL, and removes values that are empty strings:

          docsource_status docsource_read(const char *path, unsigned int options,
              docsource_source **source, docsource_error **error);
          docsource_status docsource_read_fd(int descriptor,
              unsigned int options, docsource_source **source,
              docsource_error **error);
          docsource_status docsource_read_at(int directory, const char *name,
              unsigned int options, docsource_source **source,
              docsource_error **error);
          const char *docsource_source_value(const docsource_source *source,
              docsource_field field, size_t *length);
          const char *docsource_source_carrier(const docsource_source *source);
          void docsource_source_free(docsource_source *source);
          docsource_status docsource_write(const char *path,
              unsigned int options, const docsource_values *values,
              docsource_error **error);
          docsource_status docsource_write_fd(int descriptor,
              unsigned int options, const docsource_values *values,
              docsource_error **error);
          docsource_status docsource_write_at(int directory, const char *name,
              unsigned int options, const docsource_values *values,
              docsource_error **error);
          docsource_status docsource_remove(const char *path,
              unsigned int options, docsource_error **error);
          docsource_status docsource_remove_fd(int descriptor,
              unsigned int options, docsource_error **error);
          docsource_status docsource_remove_at(int directory, const char *name,
              unsigned int options, docsource_error **error);

        All marks of a file, as in 'docsource trace --no-recent' (since ABI 1.1):

          docsource_status docsource_report_read(const char *path,
              unsigned int options, docsource_report **report,
              docsource_error **error);
          docsource_status docsource_report_read_fd(int descriptor,
              unsigned int options, docsource_report **report,
              docsource_error **error);
          docsource_status docsource_report_read_at(int directory,
              const char *name, unsigned int options, docsource_report **report,
              docsource_error **error);
          const char *docsource_report_value(const docsource_report *report,
              docsource_subject subject, size_t *length);
          int64_t docsource_report_mark(const docsource_report *report,
              docsource_subject subject);
          int docsource_report_is_contradictory(const docsource_report *report,
              docsource_subject subject);
          int docsource_report_is_complete(const docsource_report *report);
          size_t docsource_report_part_count(const docsource_report *report);
          docsource_part docsource_report_part_kind(
              const docsource_report *report, size_t part);
          const char *docsource_report_part_origin(
              const docsource_report *report, size_t part, size_t *length);
          const char *docsource_report_part_program(
              const docsource_report *report, size_t part, size_t *length);
          const char *docsource_report_part_time(
              const docsource_report *report, size_t part);
          int docsource_report_is_doubtful(const docsource_report *report);
          size_t docsource_report_count(const docsource_report *report);
          const char *docsource_report_mark_name(const docsource_report *report,
              size_t mark);
          const char *docsource_report_mark_form(const docsource_report *report,
              size_t mark);
          const char *docsource_report_mark_carrier(
              const docsource_report *report, size_t mark);
          docsource_trust docsource_report_mark_trust(
              const docsource_report *report, size_t mark);
          const char *docsource_report_mark_value(const docsource_report *report,
              size_t mark, docsource_subject subject, size_t *length);
          const char *docsource_report_mark_failure(
              const docsource_report *report, size_t mark);
          int64_t docsource_report_mark_offset(const docsource_report *report,
              size_t mark);
          const void *docsource_report_mark_bytes(const docsource_report *report,
              size_t mark, size_t *size);
          void docsource_report_free(docsource_report *report);

        The icon of an application. docsource_icon_find never uses the network;
        docsource_fetch_start has docsource-fetch download an icon from a host that the user trusts,
        and returns at once, with a descriptor for poll(2):

          docsource_status docsource_icon_find(const char *identifier,
              const char *app_info_url, double points, double scale,
              unsigned int options, docsource_icon **icon,
              docsource_error **error);
          const char *docsource_icon_path(const docsource_icon *icon);
          docsource_origin docsource_icon_origin(const docsource_icon *icon);
          int docsource_icon_is_fetchable(const docsource_icon *icon);
          void docsource_icon_free(docsource_icon *icon);
          docsource_status docsource_fetch_start(const char *app_info_url,
              double points, double scale, unsigned int options,
              docsource_fetch **fetch, docsource_error **error);
          int docsource_fetch_descriptor(const docsource_fetch *fetch);
          docsource_status docsource_fetch_result(docsource_fetch *fetch,
              docsource_error **error);
          const void *docsource_fetch_picture(docsource_fetch *fetch,
              size_t *size);
          void docsource_fetch_cancel(docsource_fetch *fetch);
          void docsource_fetch_free(docsource_fetch *fetch);

        Errors and versions:

          uint32_t docsource_abi_version(void);
          const char *docsource_status_text(int status);
          docsource_status docsource_error_status(const docsource_error *error);
          const char *docsource_error_message(const docsource_error *error);
          int docsource_error_number(const docsource_error *error);
          const char *docsource_error_reason(const docsource_error *error);
          int64_t docsource_error_offset(const docsource_error *error);
          const char *docsource_error_carrier(const docsource_error *error);
          void docsource_error_free(docsource_error *error);
        """),
      ManualText.Section(
        "STATUS",
        """
        Functions return docsource_status:

          DOCSOURCE_OK                 0  success
          DOCSOURCE_NO_SOURCE          1  the file has no document source
          DOCSOURCE_DAMAGED            2  the value is not a readable property list
          DOCSOURCE_NOT_FOUND          3  the file does not exist
          DOCSOURCE_NOT_PERMITTED      4  denied, or the file system is read-only
          DOCSOURCE_NOT_SUPPORTED      5  no user attributes here
          DOCSOURCE_NO_SPACE           6  no space for the value
          DOCSOURCE_REFUSED            7  a value that must not be written
          DOCSOURCE_INVALID_ARGUMENT   8  an argument is invalid
          DOCSOURCE_SYSTEM_ERROR       9  see docsource_error_number
          DOCSOURCE_NO_ICON           10  there is no icon
          DOCSOURCE_RUNNING           11  the fetch is still running
          DOCSOURCE_CANCELLED         12  the fetch was cancelled
          DOCSOURCE_FETCH_FAILED      13  the icon could not be fetched
          DOCSOURCE_NOT_INSTALLED     14  docsource-fetch is not installed
        """),
      ManualText.Section(
        "C",
        #"""
        A program that marks a file and reads the mark back:

          #include <documentsource.h>
          #include <stdio.h>

          int main(void) {
            docsource_values values = {.identifier = "org.example.editor", .name = "Editor"};
            docsource_write("letter.txt", 0, &values, NULL);
            docsource_source *source;
            docsource_error *error;
            if (docsource_read("letter.txt", 0, &source, &error) == DOCSOURCE_OK)
              puts(docsource_source_value(source, DOCSOURCE_NAME, NULL));
            else
              fprintf(stderr, "letter.txt: %s\n", docsource_error_message(error));
            docsource_source_free(source);
            docsource_error_free(error);
          }
        """#),
      ManualText.Section(
        "C++",
        #"""
        <documentsource.hpp> has values and exceptions instead of handles and statuses:
        docsource::read, write, remove, trace, find_icon, Fetch and Error. Everything is inline.

          #include <documentsource.hpp>
          #include <iostream>

          int main() {
            if (auto source = docsource::read("letter.txt"))
              std::cout << source->name.value_or("-") << '\n';
          }
        """#),
      ManualText.Section(
        "PYTHON",
        """
        The module has read, write, remove, trace, find_icon, Fetch, Error and escaped, which makes
        texts of strangers safe for a terminal; 'pydoc3 documentsource' describes them.

          import documentsource

          documentsource.write("letter.txt", path="drafts/letter.txt")
          source = documentsource.read("letter.txt")  # None if there is none
          print(source.name, source.path)
          try:
              documentsource.read("missing.txt")
          except documentsource.Error as error:
              print(error.status.name, error)
        """),
      ManualText.Section(
        "SWIFT",
        """
        Add the package to the dependencies, .package(url: "https://.../docsource", branch: "main"),
        and its products to a target: DocumentSource, which uses LinuxSystem and Xattr; Provenance
        for other marks, Manifest, Applications and AppIcon; and BinaryPropertyList, with
        BinaryPropertyListCoders for Codable. Building DocumentSource and Xattr needs the package
        libattr1-dev; BinaryPropertyList needs only the standard library, and
        BinaryPropertyListCoders also FoundationEssentials. Sources/README.md is the map of all
        targets.

          import DocumentSource
          import LinuxSystem

          let attribute = DocumentSourceAttribute(of: .path(FilePath("letter.txt")))
          let plan = try attribute.plan(SourceChange(to: DocumentSource(identifier: "org.example.editor")))
          try attribute.write(plan)
          if case .source(let source, _) = try attribute.read().content { print(source.identifier ?? "") }

        These names have moved to other modules: FilePath and Errno to LinuxSystem, XBEL and
        AppStream to XMLFormats, Attribution to Watching, and AppleDouble and similar formats to
        ForeignFormats.
        """),
    ],
    seeAlso: ["docsource-marks(7)", "docsource-trace(1)", "docsource-icon(1)", "xattr(7)"])
}
