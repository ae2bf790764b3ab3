# docsource: `make run` and `make test` set up, build and work on a fresh Debian with Swift 6.3.

PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
DESTDIR ?=
SWIFT ?= swift
# This directory as a word for the shell, whatever is in its path.
ROOT := '$(subst ','\'',$(CURDIR))'

# The one list of Debian packages: what building needs, and what running the tests needs besides.
BUILD_PACKAGES := binutils gettext libarchive-dev libattr1-dev libcurl4-openssl-dev libgit2-dev \
	libglib2.0-dev libjansson-dev libmd-dev libpng-dev libsqlite3-dev libxml2-dev pkgconf
RUN_PACKAGES := attr ca-certificates python3-minimal shared-mime-info
TEST_PACKAGES := abigail-tools attr bash-completion bsdutils btrfs-progs curl dbus-daemon \
	desktop-file-utils e2fsprogs file fish g++ git gnome-keyring groff-base hyperfine iproute2 \
	libarchive-tools libarchive-zip-perl libglib2.0-bin libimage-exiftool-perl libplist-utils libsecret-tools man-db \
	mandoc nginx-light ntfs-3g openssh-client openssl pacman-package-manager python3 python3-gi \
	python3-pip rpm rsync samba \
	samba-vfs-modules smbclient strace sway systemd unzip util-linux valgrind wget wl-clipboard \
	xauth xclip xdg-desktop-portal-dev xdg-utils xfsprogs xvfb zip zsh
BENCH_PACKAGES := libplist-dev
# Half a gigabyte: four file managers, GNOME Shell, and what looks at them.
DESKTOP_PACKAGES := adwaita-icon-theme appstream at-spi2-core bindfs caja claws-mail dbus-bin \
	dbus-daemon desktop-file-utils dillo fonts-dejavu-core fonts-droid-fallback fuse3 \
	gir1.2-adw-1 gir1.2-atspi-2.0 gir1.2-gtk-3.0 gir1.2-gtk-4.0 gir1.2-thunarx-3.0 gnome-shell grim \
	gvfs gvfs-daemons \
	imagemagick l3afpad libglib2.0-bin librsvg2-common locales mousepad nautilus nemo \
	nemo-python openbox python3-caja python3-gi python3-nautilus thunar thunarx-python \
	x11-utils xclip xdg-utils xdotool xvfb
# A gigabyte: the programs that the watch is tried on.
WATCHED_PACKAGES := bubblewrap chromium emacs-gtk file-roller firefox-esr geany gedit gimp \
	gnome-screenshot gnome-text-editor libreoffice-calc libreoffice-writer make p7zip-full python3-uno \
	sed tar thunderbird vim xdg-desktop-portal xdg-desktop-portal-gtk
# For Dolphin's plugins, as much again; for running it; for making Debian packages; for testing those.
DOLPHIN_PACKAGES := cmake extra-cmake-modules g++ libkf5filemetadata-dev libkf5kio-dev
DOLPHIN_TEST_PACKAGES := breeze-icon-theme dolphin kde-style-breeze libkf5baloowidgets-bin
DEB_PACKAGES := build-essential debhelper dh-python git python3
DUCKDB := .build/duckdb
DEB_TEST_PACKAGES := debootstrap lintian piuparts systemd-container

# Linker flags stand here: in Package.swift they would bar other packages from depending on us.
# A section for each function: what nothing calls is left out, of equal functions one is kept (no
# address of a function is compared here, nor a key path), and what runs at the start lies together.
# Swift's regular expressions, 1.3 MB, would be linked by the first call of one of their functions,
# such as `contains` of a text in a text: with this, such a call is an error.
RELEASE := -c release -Xswiftc -use-ld=lld -Xswiftc -Xfrontend -Xswiftc -function-sections \
	-Xswiftc -Xfrontend -Xswiftc -disable-implicit-string-processing-module-import \
	-Xcc -ffunction-sections -Xlinker --gc-sections -Xlinker --icf=all -Xlinker -O2
# The tables of exceptions, which neither Swift nor C throws: an eighth of each executable. Swift's
# functions have frame pointers, by which debuggers find the callers.
WITHOUT_UNWINDING := -Xlinker --no-eh-frame-hdr -Xlinker -T$(ROOT)/Sources/Programs/without-unwinding.ld
# The functions that run at the start, in the order in which they do: `make order` writes the list. A
# name that is gone does no harm, and a test says when the list is due.
START_ORDER := Sources/Programs/start-order
STATIC := $(RELEASE) $(WITHOUT_UNWINDING) -Xswiftc -static-executable -Xlinker --no-rosegment \
	-Xlinker --symbol-ordering-file=$(ROOT)/$(START_ORDER) -Xlinker --no-warn-symbol-ordering \
	--scratch-path .build/static
STRICT := -Xswiftc -warnings-as-errors -Xcc -Werror
# Beside the objects of a plain `swift build`: of two builds with other flags in one directory, each
# builds everything anew.
CHECKED := $(STRICT) --scratch-path .build/checked
# What links libraries that the main executable must not, in executables of their own. Small rather than
# fast: they mostly wait. The library of tasks would be linked even where nothing is called in it.
COMPANION := $(RELEASE) -Xswiftc -Osize \
	-Xswiftc -Xfrontend -Xswiftc -disable-autolink-library \
	-Xswiftc -Xfrontend -Xswiftc swift_Concurrency --scratch-path .build/companions
# What links them, and what with.
LINKS := Sources/Programs/link-companions Sources/Programs/strip-program \
	Sources/Programs/git-without-network.c Sources/Programs/gio-without-watches.c
# What they share: Programs/link-companions.
SHARED := .build/libdocsource-companions.so
COMPANIONS := docsource-archive docsource-content docsource-fetch docsource-records docsource-repositories \
	docsource-share docsource-xml
ABI_HEADER := Sources/CLibrary/CDocumentSource/include/documentsource.h
ABI_MAJOR := $(shell sed -n 's/^.define DOCSOURCE_ABI_MAJOR //p' $(ABI_HEADER))
ABI_MINOR := $(shell sed -n 's/^.define DOCSOURCE_ABI_MINOR //p' $(ABI_HEADER))
# Clang and the Swift driver of the same toolchain.
TOOLCHAIN = $(dir $(realpath $(shell command -v $(SWIFT))))
SONAME := libdocumentsource.so.$(ABI_MAJOR)
# The C library, linked again of the objects that the companions have: with Swift's runtime in it, and
# with the C++ runtime that Swift's needs, so that neither is loaded into programs in C. That C++
# runtime is all that the first -L has. LLVM's linker keeps Swift's own symbols out of the dynamic
# symbol table, where gold leaves some. Neither runtime gives back what it has allocated when it is
# unloaded (8 KB), so dlclose(3) leaves the library loaded.
C_LIBRARY := -static-stdlib -emit-library -use-ld=lld -lattr -ljansson -lmd $(WITHOUT_UNWINDING) \
	-L.build/static-runtime -Xlinker -z -Xlinker nodelete \
	-Xlinker -soname=$(SONAME) -Xlinker --gc-sections -Xlinker --as-needed -Xlinker -z -Xlinker now \
	-Xlinker -z -Xlinker pack-relative-relocs -Xlinker --icf=all -Xlinker -O2 \
	-Xlinker --version-script=$(ROOT)/Sources/CLibrary/CDocumentSource/exports.map
LIBRARY := .build/$(SONAME).$(ABI_MINOR)
# Of targets that are no products.
BENCH := DOCSOURCE_BENCHMARKS=1 $(SWIFT) build -c release --scratch-path .build/benchmarks
BENCH_BUILT := .build/benchmarks/release
BENCH_PROGRAMS := CacheVisitor IconBenchmark PropertyListBenchmark RuleBenchmark TreeBenchmark \
	TreeTagPeer WatchPeer
RACES := --sanitize=thread --scratch-path .build/races
LINKED := .build/static/release/docsource
BINARY := .build/docsource

.PHONY: build share lib dolphin deb run test test-tools test-desktop test-packages lint bench
.PHONY: bench-programs bench-desktop races docs order texts screenshots fuzz fuzz-corpus mutants
.PHONY: differential install uninstall clean
.PHONY: setup-build setup-run setup-test setup-bench setup-desktop setup-dolphin setup-deb
.PHONY: setup-deb-test setup-duckdb setup-pip test-duckdb

build: setup-build share
	@command -v $(SWIFT) >/dev/null || { echo "docsource needs Swift 6.3 in PATH" >&2; exit 1; }
	@# SwiftPM does not know that the list is linked by.
	@[ ! $(START_ORDER) -nt $(LINKED) ] || rm -f $(LINKED)
	DOCSOURCE_SMALL=1 $(SWIFT) build $(STATIC) --product docsource
	@[ $(BINARY) -nt $(LINKED) ] || Sources/Programs/strip-program $(LINKED) $(BINARY)
	for name in $(COMPANIONS); do $(SWIFT) build $(COMPANION) --product $$name || exit; done
	@for name in $(COMPANIONS:%=.build/companions/release/%) $(LINKS); do \
	  [ $(SHARED) -nt $$name ] || { Sources/Programs/link-companions .build $(TOOLCHAIN) $(COMPANIONS); exit; }; done
	@# With what debuggers need, for the packages of that.
	@mkdir -p .build/linked && ln -sf ../static/release/docsource .build/linked/

# Translations, and what desktops show in the user's language.
share: setup-build
	@Sources/Integrations/translate compile .build/share

# The shared library, with the links by which the linker and programs find it.
lib: setup-build
	@mkdir -p .build/static-runtime
	@ln -sf "$$($(TOOLCHAIN)clang -print-file-name=libstdc++.a)" .build/static-runtime/
	@# What is changed while it is built is not in it.
	@rm -f .build/library-sources && Sources/Integrations/library-sources . >.build/library-sources.new
	$(SWIFT) build $(COMPANION) --product documentsource
	@mkdir -p .build/linked
	@# As packages of Debian, without the names of compilers: these took a block of 4096 bytes.
	@[ $(LIBRARY) -nt .build/companions/release/libdocumentsource.so ] \
	  || { $(TOOLCHAIN)swiftc $(C_LIBRARY) -o .build/linked/$(notdir $(LIBRARY)) \
	    @.build/companions/release/documentsource.product/Objects.LinkFileList \
	  && strip --strip-unneeded -R .comment -o .build/stripped .build/linked/$(notdir $(LIBRARY)) \
	  && mv .build/stripped $(LIBRARY); }
	@# What an earlier ABI has left would be packaged, too.
	@rm -f $(filter-out $(LIBRARY) .build/linked/$(notdir $(LIBRARY)), \
	  $(wildcard .build/$(SONAME).* .build/linked/$(SONAME).*))
	@ln -sf $(notdir $(LIBRARY)) .build/$(SONAME) && ln -sf $(SONAME) .build/libdocumentsource.so
	@mv .build/library-sources.new .build/library-sources

# Dolphin's plugins, where what building them needs is installed: `make setup-dolphin`.
# Small rather than fast, as the companions.
dolphin: CXXFLAGS = $(shell DEB_CXXFLAGS_MAINT_STRIP='-g -O2' \
	DEB_CXXFLAGS_MAINT_APPEND='-Os -ffunction-sections -fdata-sections' \
	dpkg-buildflags --get CXXFLAGS 2>/dev/null)
dolphin: lib
	@if ! dpkg-query -W $(DOLPHIN_PACKAGES) >/dev/null 2>&1; then \
	  echo "Dolphin's plugins are left out: building them needs $(DOLPHIN_PACKAGES)"; \
	else CXXFLAGS='$(CXXFLAGS)' LDFLAGS='-Wl,-z,relro,-z,now,-s,--gc-sections' cmake -S Sources/Integrations/dolphin \
	  -B .build/dolphin -DCMAKE_BUILD_TYPE=None -DCMAKE_SKIP_RPATH=ON --log-level=WARNING \
	  -DDOCUMENTSOURCE_INCLUDE_DIR=$(ROOT)/Sources/CLibrary/CDocumentSource/include \
	  -DDOCUMENTSOURCE_LIBRARY=$(ROOT)/.build/libdocumentsource.so \
	  && cmake --build .build/dolphin -- --no-print-directory; fi

# Debian packages of all that is built.
deb: setup-deb build lib dolphin
	@Sources/Integrations/build-packages .build $(BUILD_PACKAGES)

# Installs them in a minimal Debian, too, for which half a gigabyte is downloaded once.
test-packages: setup-deb-test deb
	@Tests/Packages/run .build $(BUILD_PACKAGES)

run: setup-run build
	@Sources/Demonstration/demonstrate $(BINARY) .build/run

test: setup-test lint build lib
	$(SWIFT) build --build-tests $(CHECKED)
	$(SWIFT) build --package-path Tests/Consumer --scratch-path .build/consumer $(STRICT)
	cd .build/consumer && echo content >letter.txt && ./debug/Consumer | tee consumer.out \
	  && grep -qx org.example.editor consumer.out
	$(MAKE) differential COUNT=3000
	rm -f .build/passed
	@# A test that hangs fails. A limit of its own would count the time in which it waits for others.
	{ DOCSOURCE=$(ROOT)/$(BINARY) timeout --foreground 30m $(SWIFT) test $(CHECKED) \
	  && touch .build/passed; } 2>&1 | tee .build/tests.log
	@# What has failed stands at the end, too.
	@[ -e .build/passed ] || { grep -e '^✘' -e '^↳' .build/tests.log; exit 1; }

# Builds the fuzzers and benchmarks, which takes as long as all of `make test`, and runs each
# fuzzer for a moment.
test-tools: setup-test setup-bench build
	$(MAKE) fuzz SECONDS=3
	$(MAKE) bench-programs
	$(MAKE) races SECONDS=3
	$(MAKE) test-duckdb

# The recipe of docsource-export(1) for many machines.
test-duckdb: setup-test setup-duckdb build
	$(SWIFT) build --build-tests $(CHECKED)
	DOCSOURCE=$(ROOT)/$(BINARY) $(SWIFT) test --skip-build $(CHECKED) \
	  --filter manifestsOfManyMachinesAreQueriedWithDuckDB

# File managers in a desktop session of the tests' own, seen by their screens.
test-desktop: setup-desktop build lib dolphin
	appstreamcli validate --no-net .build/share/metainfo/*.xml
	desktop-file-validate .build/share/applications/*.desktop
	Tests/Desktop/run $(MANAGERS)
	Tests/Desktop/watch $(BINARY) .build/desktop/kept

# The README's picture.
screenshots: setup-desktop build lib
	@rm -rf .build/desktop/measured
	@$(MAKE) --no-print-directory install DESTDIR=$(ROOT)/.build/desktop/measured PREFIX=/usr
	@Tests/Desktop/take-screenshot $(ROOT)/.build/desktop/measured \
	  Sources/Integrations/desktop/nautilus.png

# Nautilus's listing of 10,000 tagged files, with the extension and without.
bench-desktop: setup-desktop build lib
	@rm -rf .build/desktop/measured
	@$(MAKE) --no-print-directory install DESTDIR=$(ROOT)/.build/desktop/measured PREFIX=/usr
	@Tests/Desktop/measure-listing $(ROOT)/.build/desktop/measured

# Eight threads on the same files, with the library's Swift and C and the program watched for races.
races: SECONDS ?= 30
races: setup-test
	$(SWIFT) build $(RACES) --product documentsource
	@mkdir -p .build/races/files && $(TOOLCHAIN)clang -std=c11 -g -fsanitize=thread -c \
	  -ISources/CLibrary/CDocumentSource/include Tests/CLibrary/Programs/hammer.c -o .build/races/hammer.o
	@# Swift's driver knows the libraries that the sanitizer needs.
	@$(TOOLCHAIN)swiftc -sanitize=thread .build/races/hammer.o -o .build/races/hammer -L.build/races/debug \
	  -ldocumentsource -Xlinker -rpath -Xlinker $(ROOT)/.build/races/debug
	TSAN_OPTIONS=halt_on_error=1 .build/races/hammer .build/races/files $(SECONDS)

lint:
	$(SWIFT) format lint --strict --recursive --parallel Package.swift Sources Tests

# Each line against its peer; the rows that miss their goals are named at the end.
bench: build lib bench-programs
	@Tests/Benchmarks/judge $(MAKE) --no-print-directory measure

bench-programs: setup-test setup-bench
	@set -e; for program in $(BENCH_PROGRAMS); do $(BENCH) --product $$program; done

measure:
	@Tests/Benchmarks/show-against-getfattr $(BINARY)
	@Tests/Benchmarks/many-files $(BINARY)
	@Tests/Benchmarks/icon-against-show $(BINARY) $(BENCH_BUILT)/CacheVisitor \
	  Fixtures/Pictures/scaling.png
	@$(BENCH_BUILT)/PropertyListBenchmark
	@$(BENCH_BUILT)/IconBenchmark
	@$(BENCH_BUILT)/RuleBenchmark ../shared/reference/sharing/data Fixtures/Sharing
	@Tests/Benchmarks/type-against-gio $(BINARY)
	@Tests/Benchmarks/match-against-show $(BINARY)
	@Tests/Benchmarks/share-and-open $(BINARY)
	@Tests/Benchmarks/tree-walk $(BENCH_BUILT)/TreeBenchmark $(BINARY) $(BENCH_BUILT)/TreeTagPeer
	@Tests/Benchmarks/tree-tag $(BENCH_BUILT)/TreeTagPeer $(BINARY)
	@Tests/Benchmarks/manifest $(BENCH_BUILT)/TreeTagPeer $(BINARY)
	@Tests/Benchmarks/plist-show $(BINARY)
	@Tests/Benchmarks/find-memory $(BENCH_BUILT)/TreeTagPeer $(BINARY)
	@Tests/Benchmarks/trace-records $(BINARY)
	@Tests/Benchmarks/trace-packages $(BINARY)
	@Tests/Benchmarks/trace-repositories $(BINARY)
	@Tests/Benchmarks/trace-content $(BINARY)
	@Tests/Benchmarks/library-against-peers .build
	@Tests/Benchmarks/watch $(BINARY) $(BENCH_BUILT)/WatchPeer
	@Tests/Benchmarks/witness $(BINARY)
	@Tests/Benchmarks/watch-attacks $(BINARY)

# Small changes of the sources, each of which a test ought to notice: by hand before a release, in
# parts of an hour or so. MUTANTS: words of titles, files or suites, or --batch K/N.
mutants: setup-test
	@SWIFT=$(SWIFT) Tests/Mutants/run $(MUTANTS)

# Each fuzzer, or those of FUZZERS, from the inputs that are kept; how to run them for a night stands
# in Sources/README.md.
fuzz: SECONDS ?= 60
fuzz: setup-build
	@SWIFT=$(SWIFT) Tests/Fuzz/run $(SECONDS) $(FUZZERS)

# Keeps in Fixtures/Fuzz the fewest inputs that reach all that was reached.
fuzz-corpus: setup-build
	@SWIFT=$(SWIFT) Tests/Fuzz/run keep $(FUZZERS)

# With few lists it fits into a test: 3,000 take ten seconds.
differential: COUNT ?= 100000
differential: setup-build setup-test
	$(SWIFT) build --package-path Tests/Differential --scratch-path .build/differential -c release $(STRICT)
	@Tests/Differential/compare .build/differential/release/PropertyListGenerator \
	  Sources/Formats/BinaryPropertyList/BinaryPropertyList.docc/Disagreements.md $(COUNT) $(SEED)

# The values of variables as words for the shell, whatever is in them but line ends.
quoted = $(foreach name,$(1),'$(subst ','\'',$($(name)))')

# Building is left to `make`: root does neither that nor install packages unasked.
install:
	@Sources/Integrations/installation install $(call quoted,DESTDIR PREFIX BINARY LIBDIR)

uninstall:
	@Sources/Integrations/installation uninstall $(call quoted,DESTDIR PREFIX)

# The texts that are kept in files beside the sources, as Swift; then manual pages and completions, from
# these texts and the declarations of the options. Tests say when it is due.
docs: setup-build
	@Sources/Integrations/embed-texts Sources/Programs/docsource/Manual
	@Sources/Integrations/embed-texts Sources/Programs/CommandLineInterface/CompletionScripts
	@$(MAKE) build
	@Sources/Integrations/write-documentation $(BINARY) Sources/Integrations

# The functions that run when docsource starts, so that the linker puts them together. A test says
# when it is due. On x86-64.
order: setup-test build
	$(BENCH) --product CacheVisitor
	@Sources/Integrations/order-functions $(LINKED) $(START_ORDER) $(BENCH_BUILT)/CacheVisitor \
	  Fixtures/Pictures/scaling.png

# What there is to be translated, and the translations with what is missing of it. A test says when
# it is due.
texts: setup-build
	@Sources/Integrations/translate collect Sources/Integrations/translations

clean:
	rm -rf .build

# Installs what is missing of the packages in $(1), or says how.
define install-packages
@missing=; for package in $(1); do \
  dpkg-query -W -f '$${Status}' $$package 2>/dev/null | grep -q 'ok installed' \
    || missing="$$missing $$package"; done; \
if [ -n "$$missing" ]; then \
  install="apt-get install -y --no-install-recommends$$missing"; \
  if [ "$$(id -u)" = 0 ]; then root=; \
  elif sudo -n true 2>/dev/null; then root=sudo; \
  else echo "These packages are missing; run: sudo $$install" >&2; exit 1; fi; \
  echo "Installing$$missing"; \
  $$root apt-get update -qq && $$root env DEBIAN_FRONTEND=noninteractive $$install -qq >/dev/null; \
fi
endef

setup-build: ; $(call install-packages,$(BUILD_PACKAGES))
setup-run: ; $(call install-packages,$(BUILD_PACKAGES) $(RUN_PACKAGES))
setup-test: ; $(call install-packages,$(BUILD_PACKAGES) $(RUN_PACKAGES) $(TEST_PACKAGES))
setup-bench: ; $(call install-packages,$(BENCH_PACKAGES))
setup-desktop: setup-dolphin
	$(call install-packages,$(RUN_PACKAGES) $(DESKTOP_PACKAGES) $(DOLPHIN_TEST_PACKAGES) \
	  $(WATCHED_PACKAGES))
setup-dolphin: ; $(call install-packages,$(DOLPHIN_PACKAGES))
# Of PyPI, as no Debian has it.
setup-duckdb:
	@[ -d $(DUCKDB) ] || python3 -m pip --version >/dev/null 2>&1 || $(MAKE) setup-pip
	@[ -d $(DUCKDB) ] || { rm -rf $(DUCKDB).new && python3 -m pip install -q --root-user-action=ignore \
	  --target $(DUCKDB).new duckdb && mv $(DUCKDB).new $(DUCKDB); }
setup-pip: ; $(call install-packages,python3-pip)
setup-deb-test: ; $(call install-packages,$(DEB_TEST_PACKAGES))
setup-deb: ; $(call install-packages,$(BUILD_PACKAGES) $(DEB_PACKAGES))
