/// Programs whose files come from no application, and why.
///
/// The list has names of executables. A program that people make documents with is not on it.
package enum PlainProgram: String, Hashable, Sendable {
  /// Writes, by redirection, what a person or a script tells it to.
  case shell
  /// Brings files from elsewhere, so that their source is another.
  case copier
  /// Writes what its command line says, as one step of other work.
  case tool
  /// Makes its files from other files, again and again.
  case compiler
  /// Brings back what others have written.
  case versionControl = "version control"
  /// Works for other programs, or for the session.
  case service
  /// Writes for applications in sandboxes.
  case portal

  /// The kind of a program; `nil` for a program that is not on the list.
  ///
  /// A platform before the name and a version after it are ignored: `x86_64-linux-gnu-gcc-12`.
  init?(program name: ArraySlice<UInt8>) {
    guard let text = String(validating: name, as: UTF8.self) else { return nil }
    var names = [text]
    let stem = Self.withoutVersion(name)
    if stem.count < name.count { names.append(String(decoding: stem, as: UTF8.self)) }
    let words = stem.split(separator: UInt8(ascii: "-"))
    if words.count == 4, let last = words.last {
      names.append(String(decoding: last, as: UTF8.self))
    }
    guard let kind = names.lazy.compactMap({ Self.kinds[$0] }).first else { return nil }
    self = kind
  }

  /// Whether a program is an interpreter, which says nothing of the script that it runs.
  static func isInterpreter(_ name: ArraySlice<UInt8>) -> Bool {
    guard let text = String(validating: name, as: UTF8.self) else { return false }
    let stem = String(decoding: withoutNumber(name), as: UTF8.self)
    return interpreters.contains(stem) || interpreters.contains(text)
  }

  private static func withoutVersion(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var stem = withoutNumber(name)
    while stem.last == UInt8(ascii: "-") { stem.removeLast() }
    return stem
  }

  private static func withoutNumber(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    var stem = name
    while let last = stem.last, last == UInt8(ascii: ".") || digits.contains(last) {
      stem.removeLast()
    }
    return stem
  }

  private static let interpreters: Set<String> = [
    "python", "pypy", "perl", "ruby", "node", "nodejs", "gjs", "gjs-console", "cjs", "cjs-console",
    "seed", "java", "php", "wish", "tclsh", "lua", "luajit", "mono", "mono-sgen", "guile",
    "ocamlrun",
    "Rscript", "qml", "electron",
  ]

  private static let names: [(PlainProgram, String)] = [
    (.shell, "sh bash dash zsh fish ksh ksh93 mksh oksh yash csh tcsh busybox toybox posh elvish"),
    (.shell, "nu xonsh pwsh rbash"),
    (
      .copier,
      """
      cp mv install dd rsync scp sftp sftp-server ftp lftp wget wget2 curl aria2c axel tar bsdtar \
      cpio pax ar unar zip unzip bsdunzip 7z 7za 7zr 7zz unrar rar gzip pigz bzip2 pbzip2 xz zstd \
      lz4 lzip brotli unsquashfs gio ln rclone syncthing nextcloud nextcloudcmd owncloud dropbox \
      insync onedrive maestral megasync unison csync2 rdiff-backup borg restic duplicity smbclient \
      smbd nmbd nfsd obexftpd bluetoothd obexd kio_file kioworker kioslave5 mtpfs ifuse
      """
    ),
    (
      .tool,
      """
      coreutils cat tee touch truncate fallocate head tail sort uniq cut paste split csplit shuf \
      sed awk gawk mawk grep tr patch diff ed ex xargs env find fd printf echo setfattr base64 \
      openssl gpg gpg2 age iconv dos2unix unix2dos m4 envsubst sponge script strace gdb sudo su \
      doas runuser setpriv unshare nsenter chroot docsource
      """
    ),
    (
      .compiler,
      """
      gcc g++ cc c++ cc1 cc1plus collect2 as ld ld.bfd ld.gold ld.lld lld mold clang clang++ tcc \
      rustc cargo go compile link swift swiftc swift-build swift-frontend swift-driver javac \
      kotlinc scalac ghc ocamlopt ocamlc fpc gfortran gnat gnatmake nasm yasm objcopy strip ranlib \
      make gmake ninja cmake meson bazel gradle mvn ant tsc esbuild sccache ccache distcc dpkg \
      dpkg-deb apt apt-get rpm dnf pacman
      """
    ),
    (
      .versionControl,
      "git git-remote-https git-lfs hg svn bzr brz cvs darcs fossil jj p4 git-annex"
    ),
    (
      .service,
      """
      systemd init dbus-daemon dbus-broker xdg-desktop-portal xdg-desktop-portal-gtk \
      xdg-desktop-portal-gnome xdg-desktop-portal-kde xdg-permission-store \
      fusermount fusermount3 gvfsd gvfsd-fuse gvfsd-metadata dconf-service tracker-miner-fs \
      tracker-miner-fs-3 tracker-extract-3 localsearch-3 baloo_file baloo_file_extractor \
      thumbnailer tumblerd kactivitymanagerd Xorg Xwayland Xvfb pipewire wireplumber pulseaudio \
      cupsd cron crond atd sshd sshd-session rsyslogd systemd-journald systemd-coredump containerd \
      dockerd containerd-shim-runc-v2 qemu-system-x86_64 virtiofsd snapd snapfuse bwrap \
      flatpak-session-helper
      """
    ),
    // The second is what the kernel calls it.
    (.portal, "xdg-document-portal xdg-document-po"),
  ]

  private static let kinds = Dictionary(
    names.flatMap { kind, names in names.split(separator: " ").map { (String($0), kind) } },
    uniquingKeysWith: { first, _ in first })
}

/// Why the files that a process writes come from no application.
package enum NoApplication: Hashable, Sendable {
  /// The program is on the list of plain programs, whoever runs it.
  case plain(PlainProgram)
  /// A terminal emulator, or a program that was started in one by hand.
  case terminal
  /// A file manager: the files that it writes are copies.
  case fileManager
  /// A service, or a part of the session.
  case service
  /// Nothing points to an application.
  case nothingKnown
  /// The user does not want the files of this application to be tagged.
  case filtered
}
