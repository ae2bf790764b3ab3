// Written by Sources/Integrations/write-type-tables; see there.
//
// The data is that of utitools 0.5.0 and osxphotos, which are under the MIT licence, copyright Rhet
// Turnbull, with what Apple's header comments say and what is inferred from both.

/// A type a line: identifier, parents, file name extensions, MIME types; `.` for none. A minus
/// stands before an ancestor of the parents that the type itself has not.
let typeTable = SortedLines(
  """
  ca.mcgill.mni.bic.mnc public.image mnc,minc
  ch.sudo.cyberduck.bookmark . duck
  com.adobe.edn public.data edn
  com.adobe.encapsulated-postscript com.adobe.postscript eps
  com.adobe.etd public.data etd
  com.adobe.fdf public.data fdf
  com.adobe.flash.video public.movie flv,f4a,f4b,f4p,f4v video/x-flv
  com.adobe.illustrator.ai-image public.image ai
  com.adobe.pdf public.composite-content,public.data pdf application/pdf
  com.adobe.photoshop-image public.image psd image/vnd.adobe.photoshop
  com.adobe.photoshop-large-image public.image psb
  com.adobe.postscript public.composite-content,public.data ps application/postscript
  com.adobe.postscript-font public.data,public.font
  com.adobe.postscript-pfa-font com.adobe.postscript-font pfa
  com.adobe.postscript-pfb-font com.adobe.postscript-font pfb
  com.adobe.raw-image public.camera-raw-image dng image/x-adobe-dng
  com.adobe.xfdf public.composite-content,public.data xfdf
  com.advenio.macgourmet-spotlight-metadata . mgspot
  com.allume.stuffit-archive public.archive,public.data
  com.apple.active-webpage
  com.apple.addressbook.group public.data abcdg
  com.apple.addressbook.person public.contact,public.data abcdp
  com.apple.afp-internet-location com.apple.internet-location,public.stored-url afploc
  com.apple.alias-file com.apple.resolvable,public.data
  com.apple.applescript.script public.script scpt
  com.apple.applescript.script-bundle com.apple.bundle,com.apple.package,public.script scptd
  com.apple.applescript.text public.script
  com.apple.applesingle-archive public.archive,public.data as
  com.apple.appleworks.document . cwk
  com.apple.application public.executable
  com.apple.application-and-system-extension com.apple.xpc-service appex
  com.apple.application-bundle com.apple.application,com.apple.bundle,com.apple.package app
  com.apple.application-file com.apple.application,public.data app
  com.apple.archive public.archive,public.data aar,yaa
  com.apple.arobject public.data
  com.apple.binary-property-list com.apple.property-list
  com.apple.binhex-archive public.archive,public.data hqx application/mac-binhex40
  com.apple.bom-archive public.archive,public.data
  com.apple.bom-compressed-cpio com.apple.bom-archive cpgz
  com.apple.bookmark com.apple.resolvable,public.data
  com.apple.bundle public.directory
  com.apple.cfr-font public.data,public.font sfont
  com.apple.chess.game public.utf8-plain-text game
  com.apple.chess.pgn public.utf8-plain-text pgn
  com.apple.clips-source public.source-code clp
  com.apple.color-file public.data clr,ccl
  com.apple.colorsync-profile public.data icc,pf,icm
  com.apple.coreaudio-format public.audio caf
  com.apple.crashreport public.log,public.utf8-plain-text crash
  com.apple.createml.project com.apple.package,public.content,public.data mlproj
  com.apple.disk-image public.archive,public.data,public.disk-image
  com.apple.disk-image-cdr com.apple.disk-image dvdr,cdr
  com.apple.disk-image-sparse com.apple.disk-image asif
  com.apple.disk-image-udif com.apple.disk-image dmg,img,udif
  com.apple.documentation.guide net.daringfireball.markdown guide
  com.apple.dt.document.apns public.json apns
  com.apple.encrypted-archive public.archive,public.data aea
  com.apple.finalcutpro.colorboard . cboard
  com.apple.finalcutpro.xml . fcpxml
  com.apple.flat-rtfd public.composite-content,public.data
  com.apple.font-suitcase public.data,public.font suit
  com.apple.framework com.apple.bundle
  com.apple.freeform.board public.composite-content,public.data board
  com.apple.ftp-internet-location com.apple.internet-location,public.stored-url ftploc
  com.apple.hangreport public.log,public.utf8-plain-text hang
  com.apple.haptics.ahap public.haptics-content,public.json ahap
  com.apple.ibooks-container public.composite-content,public.data ibooks
  com.apple.ibooksauthor.book public.composite-content,public.data iba,book
  com.apple.ical.backup-package com.apple.package,public.data icbu
  com.apple.ical.ics public.calendar-event,public.text ics text/calendar
  com.apple.ical.vcs public.calendar-event,public.text vcs,vcal text/x-vcalendar
  com.apple.ichat.transcript . ichat,chat
  com.apple.icloud-file-fault public.data icloud
  com.apple.icns public.image icns
  com.apple.iig-source public.c-source iig
  com.apple.installer-package-archive public.archive,public.data pkg,mpkg
  com.apple.interfacebuilder.document.cocoa public.xml xib
  com.apple.internet-location public.data
  com.apple.iphoto.ipmeta public.data ipmeta
  com.apple.iphoto.ipspot public.data ipspot
  com.apple.ips public.text ips
  com.apple.itunes.db public.data,public.database itl
  com.apple.itunes.ipa public.data,public.executable ipa
  com.apple.itunes.ipg . ipg
  com.apple.itunes.ipsw public.data,public.executable ipsw
  com.apple.itunes.nvf . nvf
  com.apple.itunes.podcast . pcast,itpc
  com.apple.itunes.store-url public.url itms
  com.apple.iwork.keynote.kpdc . kpdc
  com.apple.iwork.keynote.sffkey public.data,public.presentation key
  com.apple.iwork.keynote.sffkth public.data,public.presentation kth
  com.apple.iwork.pages.sffpages public.composite-content,public.data pages
  com.apple.ktrace com.apple.trace ktrace
  com.apple.live-photo
  com.apple.log public.log,public.plain-text log
  com.apple.logic-song . lso
  com.apple.logic.channelstripsetting . cst
  com.apple.logic.dpst . dpst
  com.apple.logic.exs . exs,sbk
  com.apple.logic.impulseresponse . sdir
  com.apple.logic.notator . son
  com.apple.logic.pluginsetting . pst
  com.apple.lsr-image public.image lsr
  com.apple.m4a-audio public.mpeg-4-audio,-public.movie,-public.mpeg-4 m4a audio/x-m4a
  com.apple.m4v-video public.mpeg-4 m4v video/x-m4v
  com.apple.macbinary-archive public.archive,public.data bin application/macbinary
  com.apple.mach-o-binary public.data,public.executable
  com.apple.mach-o-dylib com.apple.mach-o-binary,public.unix-executable dylib
  com.apple.macpaint-image public.image pntg
  com.apple.mail.email public.data,public.email-message eml message/rfc822
  com.apple.mail.emlx public.data,public.email-message emlx
  com.apple.metadata-importer com.apple.plugin
  com.apple.metal public.source-code metal
  com.apple.mobileconfig public.xml mobile
  com.apple.mount-point com.apple.resolvable,public.item
  com.apple.mpeg-4-ringtone public.mpeg-4-audio,-public.movie,-public.mpeg-4 m4r audio/x-m4r
  com.apple.music.itlp com.apple.package,public.html itlp
  com.apple.music.rmp-playlist public.playlist,public.text rmp application/vnd.rn-rn_music_package
  com.apple.package public.directory
  com.apple.panicreport public.log,public.utf8-plain-text panic
  com.apple.pdf-printer-settings public.data pset
  com.apple.photos.apple-adjustment-envelope public.content,public.data aae
  com.apple.photos.slow-motion-video-sidecar public.content,public.data slm
  com.apple.pict public.image pict,pct,pic image/pict
  com.apple.pkpass public.data . application/vnd.apple.pkpass
  com.apple.pkpass-data public.data pkpass
  com.apple.plugin com.apple.bundle,com.apple.package
  com.apple.preview.blank public.data blank
  com.apple.property-list public.data plist
  com.apple.protected-mpeg-4-audio public.audio m4p
  com.apple.protected-mpeg-4-audio-b com.apple.protected-mpeg-4-audio m4b
  com.apple.protected-mpeg-4-video com.apple.m4v-video
  com.apple.quartz-composer-composition public.data,public.executable qtz application/x-quartzcomposer
  com.apple.quicklook-generator com.apple.plugin
  com.apple.quicktime-image public.image qtif,qti image/x-quicktime
  com.apple.quicktime-movie public.movie mov,qt video/quicktime
  com.apple.reality public.data
  com.apple.resolvable
  com.apple.rez-source public.source-code r
  com.apple.rtfd com.apple.package,public.composite-content rtfd
  com.apple.scenekit.particlesystem public.data scnp
  com.apple.scenekit.scene public.3d-content,public.data scn,scnz
  com.apple.scripting-definition public.xml sdef
  com.apple.shortcuts.workflow-file com.apple.property-list,public.content wflow
  com.apple.spinreport public.log,public.utf8-plain-text spin
  com.apple.spritekit.serialized public.data sks
  com.apple.symbol-export public.source-code exp
  com.apple.systempreference.prefpane com.apple.bundle,com.apple.package
  com.apple.systemprofiler.document public.xml spx
  com.apple.terminal.session public.data term
  com.apple.terminal.shell-script public.shell-script command,tool
  com.apple.text-based-dylib public.yaml tbd
  com.apple.trace public.data atrc
  com.apple.truetype-datafork-suitcase-font public.truetype-font dfont
  com.apple.tv.database public.data,public.database tvdb
  com.apple.tv.ite com.apple.package,public.html ite
  com.apple.vnc-internet-location com.apple.internet-location,public.stored-url vncloc
  com.apple.web-internet-location com.apple.internet-location,public.stored-url webloc
  com.apple.webarchive public.composite-content,public.data
  com.apple.wireless-diagnostics.wdmon public.data wdmon
  com.apple.xar-archive public.archive,public.data xar
  com.apple.xcode.mom public.data mom
  com.apple.xcode.projectdata public.text mode0,mode1,mode2,mode3
  com.apple.xip-archive com.apple.xar-archive xip
  com.apple.xml-property-list com.apple.property-list,public.xml
  com.apple.xpc-service com.apple.bundle,com.apple.package xpc
  com.audible.aa-audio public.audio
  com.audible.aa-audiobook com.audible.aa-audio aa audio/audible
  com.audible.aax-audiobook com.audible.aa-audio aax audio/vnd.audible.aax
  com.autodesk.dxf . dxf
  com.avid.open-media-framework public.audiovisual-content omf
  com.c-command.mbox public.data mbox
  com.canon.cr2-raw-image public.camera-raw-image cr2
  com.canon.cr3-raw-image public.camera-raw-image cr3
  com.canon.crw-raw-image public.camera-raw-image crw image/x-canon-crw
  com.compuserve.gif public.image gif image/gif
  com.dekorra.clarisdraw . ddrw,cdd
  com.dekorra.clarisdrawlib . ilib
  com.dekorra.eazydraw.graphic . ezdraw
  com.dekorra.macdrawii . draw
  com.dekorra.macdrawpro . ddoc
  com.digidesign.sd2-audio public.audio sd2
  com.dxo.raw-image public.camera-raw-image dxo image/x-dxo-dxo
  com.eastgate.tinderbox . tbx
  com.econtechnologies.chronosync.document.container . csyn
  com.econtechnologies.chronosync.document.sync . sync
  com.epson.raw-image public.camera-raw-image erf image/x-epson-erf
  com.evernote.enex public.xml enex
  com.evernote.note-metadata2 . enspot
  com.fuji.raw-image public.camera-raw-image raf
  com.getdropbox.dropbox.binder . binder
  com.getdropbox.dropbox.paper . paper
  com.getdropbox.dropbox.papert . papert
  com.getdropbox.dropbox.shortcut . web
  com.google.gdoc . gdoc
  com.google.gsheet . gsheet
  com.hasselblad.3fr-raw-image public.camera-raw-image 3fr
  com.hasselblad.fff-raw-image public.camera-raw-image fff
  com.ilm.openexr-image public.image exr
  com.intel.nw.app . nw
  com.j2.efx-fax public.fax,public.message efx image/efax
  com.j2.jfx-fax public.fax,public.message jfx
  com.kodak.flashpix-image public.image fpx image/fpx
  com.kodak.raw-image public.camera-raw-image dcr
  com.konicaminolta.raw-image public.camera-raw-image mrw
  com.leafamerica.raw-image public.camera-raw-image mos
  com.leica.pwl-raw-image public.camera-raw-image pwl image/x-leica-pwl
  com.leica.rwl-raw-image public.camera-raw-image rwl
  com.macitbetter.cbr-archive . cbr
  com.macitbetter.cbz-archive . cbz
  com.macitbetter.segmented-archive . 000,001,002,003,004,005,006,007,008,009,010,011,012,013,014,015,016,017,018,019,020,021,022,023,024,025,026,027,028,029,030,031,032,033,034,035,036,037,038,039,040,041,042,043,044,045,046,047,048,049,050,051,052,053,054,055,056,057,058,059,060,061,062,063,064,065,066,067,068,069,070,071,072,073,074,075,076,077,078,079,080,081,082,083,084,085,086,087,088,089,090,091,092,093,094,095,096,097,098,099
  com.macitbetter.zip-archive . pk3,nth,pk4,xpi
  com.microsoft.advanced-stream-redirector public.audiovisual-content,public.xml asx video/x-ms-asx
  com.microsoft.advanced-systems-format public.audiovisual-content asf video/x-ms-asf
  com.microsoft.bmp public.image bmp,dib image/bmp
  com.microsoft.cab public.archive,public.data cab
  com.microsoft.chm-archive . chm
  com.microsoft.dds public.image dds
  com.microsoft.excel.openxml.addin public.data xlam
  com.microsoft.excel.sheet.binary.macroenabled public.data xlsb application/vnd.ms-excel.sheet.binary.macroenabled.12
  com.microsoft.excel.slk public.data slk
  com.microsoft.excel.space-separated-values-text public.text prn
  com.microsoft.excel.xla public.data xla
  com.microsoft.excel.xlb public.data xlb
  com.microsoft.excel.xld public.data xld
  com.microsoft.excel.xll public.data xll
  com.microsoft.excel.xlm public.data xlm
  com.microsoft.excel.xls public.composite-content,public.data,public.spreadsheet xls application/vnd.ms-excel
  com.microsoft.excel.xlt public.data,public.spreadsheet xlt application/vnd.ms-excel
  com.microsoft.excel.xlw public.data,public.spreadsheet xlw application/vnd.ms-excel
  com.microsoft.hlsl public.source-code hlsl
  com.microsoft.ico public.image ico image/vnd.microsoft.icon
  com.microsoft.internet-shortcut public.stored-url url
  com.microsoft.office.openxml.theme public.data thmx
  com.microsoft.outlook.dat . dat
  com.microsoft.outlook.template public.data,public.email-message emltpl
  com.microsoft.powerpoint.pot public.data,public.presentation pot application/vnd.ms-powerpoint
  com.microsoft.powerpoint.ppa public.data ppa
  com.microsoft.powerpoint.ppam public.data ppam
  com.microsoft.powerpoint.pps public.data,public.presentation pps application/vnd.ms-powerpoint
  com.microsoft.powerpoint.ppt public.data,public.presentation ppt application/vnd.ms-powerpoint
  com.microsoft.typescript public.script tsx
  com.microsoft.waveform-audio public.audio wav,bwf,wave audio/vnd.wave
  com.microsoft.windows-dynamic-link-library public.data,public.executable dll application/x-msdownload
  com.microsoft.windows-executable public.data,public.executable exe application/x-msdownload
  com.microsoft.windows-media-wax com.microsoft.advanced-stream-redirector,public.audio wax video/x-ms-wax
  com.microsoft.windows-media-wm com.microsoft.advanced-systems-format,public.movie wm video/x-ms-wm
  com.microsoft.windows-media-wma com.microsoft.advanced-systems-format,public.audio wma video/x-ms-wma
  com.microsoft.windows-media-wmp com.microsoft.advanced-systems-format,public.movie wmp video/x-ms-wmp
  com.microsoft.windows-media-wmv com.microsoft.advanced-systems-format,public.movie wmv video/x-ms-wmv
  com.microsoft.windows-media-wmx com.microsoft.advanced-stream-redirector,public.movie wmx video/x-ms-wmx
  com.microsoft.windows-media-wvx com.microsoft.advanced-stream-redirector,public.movie wvx video/x-ms-wvx
  com.microsoft.word.dictionary public.data dic
  com.microsoft.word.doc public.data doc application/msword
  com.microsoft.word.dot public.data dot application/msword
  com.microsoft.word.mhtml public.data mht,mhtm,mhtml
  com.mythtv.nuv . nuv
  com.netscape.javascript-source public.executable,public.script js,mjs text/javascript
  com.nikon.nrw-raw-image public.camera-raw-image nrw image/x-nikon-nrw
  com.nikon.raw-image public.camera-raw-image nef
  com.olympus.raw-image public.camera-raw-image orf
  com.omnigroup.omnioutliner.oo3 . oo3
  com.p5sys.jump.file.archive . jdz
  com.p5sys.jump.file.jump . jump
  com.p5sys.jump.file.rdp . rdp
  com.panasonic.raw-image public.camera-raw-image raw
  com.panasonic.rw2-raw-image public.camera-raw-image rw2
  com.parallels.vm.vmconfig . pvs
  com.parallels.vm.vmhdd . hdd,hds
  com.parallels.vm.vmmem . mem
  com.parallels.vm.vmsav . sav
  com.pentax.raw-image public.camera-raw-image pef
  com.phaseone.raw-image public.camera-raw-image iiq
  com.pixar.universal-scene-description public.3d-content,public.data usd,usdc,usda
  com.pixar.universal-scene-description-mobile public.3d-content,public.data usdz model/vnd.usdz+zip
  com.pixar.universal-scene-description-utf8 com.pixar.universal-scene-description,public.utf8-plain-text usda
  com.pkware.zip-archive public.archive,public.data
  com.postbox-inc.postbox.pbeml . pbeml
  com.rarlab.rar-archive . rar
  com.real.realaudio public.audio ram,ra audio/vnd.rn-realaudio
  com.real.realmedia public.movie rm application/vnd.rn-realmedia
  com.real.realmedia-vbr public.movie rmvb application/vnd.rn-realmedia-vbr
  com.redhat.rpm-archive . rpm
  com.roxio.disk-image-toast com.apple.disk-image toast
  com.rsa.pkcs-12 public.data p12,pfx application/x-pkcs12
  com.samsung.raw-image public.camera-raw-image srw
  com.scenarist.closed-caption public.text scc
  com.seriflabs.affinity public.data fh10,fh11
  com.seriflabs.affinitypublisher.document public.data afpub
  com.seriflabs.xmp public.xml xmp application/rdf+xml
  com.sgi.sgi-image public.image sgi image/sgi
  com.sony.arw-raw-image public.camera-raw-image arw
  com.sony.raw-image public.camera-raw-image srf
  com.sony.sr2-raw-image public.camera-raw-image sr2 image/x-sony-sr2
  com.sony.wave64 public.audio w64
  com.soundblaster.soundfont public.audio sf2
  com.stuffit.archive.sidx com.allume.stuffit-archive sidx application/x-stuffitx-index
  com.stuffit.archive.sit com.allume.stuffit-archive sit,sea application/x-stuffit
  com.stuffit.archive.sitx com.allume.stuffit-archive sitx application/x-stuffitx
  com.sun.java-archive public.executable,public.zip-archive jar application/java-archive
  com.sun.java-class public.data,public.executable class
  com.sun.java-source public.source-code java,jav
  com.sun.java-web-start public.xml jnlp application/x-java-jnlp-file
  com.sun.web-application-archive com.sun.java-archive war
  com.symantec.diskdoubler-archive . dd
  com.tascam.opentl . tl
  com.topografix.gpx public.xml gpx
  com.truevision.tga-image public.image tga image/targa
  gov.nih.nifti-1 public.data nii
  net.daringfireball.markdown public.plain-text md,mdown
  net.sourceforge.skim-app.skimnotes . skim
  org.3gpp.adaptive-multi-rate-audio public.audio amr audio/amr
  org.7-zip.7-zip-archive public.archive,public.data 7z
  org.7-zip.arj-archive . arj
  org.7-zip.lha-archive . lha,lzh
  org.7-zip.nsis-archive . nsis
  org.aafassociation.advanced-authoring-format public.composite-content,public.data aaf
  org.bzip.bzip2-archive . tb2,bzip2
  org.chromium.extension public.content,public.data crx
  org.debian.deb-archive . deb
  org.gnu.emacs-lisp . el
  org.gnu.gnu-tar-archive public.archive,public.data gtar application/x-gtar
  org.gnu.gnu-zip-archive public.archive,public.data gz,gzip application/x-gzip
  org.gnu.gnu-zip-tar-archive org.gnu.gnu-zip-archive tgz
  org.idpf.epub-container public.composite-content,public.data epub application/epub+zip
  org.khronos.astc public.image astc
  org.khronos.collada.digital-asset-exchange public.3d-content,public.audiovisual-content,public.xml dae
  org.khronos.glsl-source public.source-code glsl
  org.khronos.glsl.fragment-shader org.khronos.glsl-source fs,fsh,frag,fragsh
  org.khronos.glsl.geometry-shader org.khronos.glsl-source gs,gsh,geom
  org.khronos.glsl.tess-control-shader org.khronos.glsl-source ctrl
  org.khronos.glsl.tess-evaluation-shader org.khronos.glsl-source eval
  org.khronos.glsl.vertex-shader org.khronos.glsl-source vs,vsh,vert,vertex
  org.khronos.ktx public.image ktx
  org.materialx.mtlx public.xml mtlx
  org.matroska.mka . mka
  org.matroska.mkv . mkv
  org.nema.dicom public.data dcm,dicom application/dicom
  org.oasis-open.opendocument public.content,public.data
  org.oasis-open.opendocument.chart org.oasis-open.opendocument,public.composite-content odc application/vnd.oasis.opendocument.chart
  org.oasis-open.opendocument.database public.content,public.data,public.database odb application/vnd.oasis.opendocument.database
  org.oasis-open.opendocument.formula org.oasis-open.opendocument odf application/vnd.oasis.opendocument.formula
  org.oasis-open.opendocument.graphics org.oasis-open.opendocument,public.composite-content odg application/vnd.oasis.opendocument.graphics
  org.oasis-open.opendocument.graphics-template org.oasis-open.opendocument,public.composite-content otg application/vnd.oasis.opendocument.graphics-template
  org.oasis-open.opendocument.image org.oasis-open.opendocument,public.image odi application/vnd.oasis.opendocument.image
  org.oasis-open.opendocument.image-template org.oasis-open.opendocument,public.image oti application/vnd.oasis.opendocument.image-template
  org.oasis-open.opendocument.presentation public.content,public.data odp application/vnd.oasis.opendocument.presentation
  org.oasis-open.opendocument.presentation-template org.oasis-open.opendocument,public.presentation otp application/vnd.oasis.opendocument.presentation-template
  org.oasis-open.opendocument.spreadsheet org.oasis-open.opendocument,public.composite-content,public.spreadsheet ods application/vnd.oasis.opendocument.spreadsheet
  org.oasis-open.opendocument.spreadsheet-template org.oasis-open.opendocument,public.composite-content,public.spreadsheet ots application/vnd.oasis.opendocument.spreadsheet-template
  org.oasis-open.opendocument.text org.oasis-open.opendocument,public.composite-content odt application/vnd.oasis.opendocument.text
  org.oasis-open.opendocument.text-master org.oasis-open.opendocument,public.composite-content odm application/vnd.oasis.opendocument.text-master
  org.oasis-open.opendocument.text-template org.oasis-open.opendocument,public.composite-content ott application/vnd.oasis.opendocument.text-template
  org.oasis-open.opendocument.text-web org.oasis-open.opendocument,public.composite-content oth application/vnd.oasis.opendocument.text-web
  org.oasis-open.xliff public.xml xliff,xlf
  org.openoffice.formula public.content,public.data sxm application/vnd.sun.xml.math
  org.openoffice.graphics public.content,public.data sxd,sda application/vnd.sun.xml.draw
  org.openoffice.graphics-template public.content,public.data std application/vnd.sun.xml.draw.template
  org.openoffice.presentation public.data,public.presentation sxi,sdd,sdp application/vnd.sun.xml.impress
  org.openoffice.presentation-template public.data,public.presentation sti application/vnd.sun.xml.impress.template
  org.openoffice.spreadsheet public.data,public.spreadsheet sxc,sdc application/vnd.sun.xml.calc
  org.openoffice.spreadsheet-template public.data,public.spreadsheet stc application/vnd.sun.xml.calc.template
  org.openoffice.text public.content,public.data sxw,sdw application/vnd.sun.xml.writer
  org.openoffice.text-master public.content,public.data sxg application/vnd.sun.xml.writer.global
  org.openoffice.text-template public.content,public.data stw application/vnd.sun.xml.writer.template
  org.openxmlformats.openxml public.composite-content,public.data
  org.openxmlformats.presentationml.presentation org.openxmlformats.openxml,public.presentation pptx application/vnd.openxmlformats-officedocument.presentationml.presentation
  org.openxmlformats.presentationml.presentation.macroenabled org.openxmlformats.openxml,public.executable,public.presentation pptm application/vnd.ms-powerpoint.presentation.macroenabled.12
  org.openxmlformats.presentationml.slideshow org.openxmlformats.openxml,public.presentation ppsx application/vnd.openxmlformats-officedocument.presentationml.slideshow
  org.openxmlformats.presentationml.slideshow.macroenabled org.openxmlformats.openxml,public.executable,public.presentation ppsm application/vnd.ms-powerpoint.slideshow.macroenabled.12
  org.openxmlformats.presentationml.template org.openxmlformats.openxml,public.presentation potx application/vnd.openxmlformats-officedocument.presentationml.template
  org.openxmlformats.presentationml.template.macroenabled org.openxmlformats.openxml,public.executable,public.presentation potm application/vnd.ms-powerpoint.template.macroenabled.12
  org.openxmlformats.spreadsheetml.sheet org.openxmlformats.openxml,public.spreadsheet xlsx application/vnd.openxmlformats-officedocument.spreadsheetml.sheet
  org.openxmlformats.spreadsheetml.sheet.macroenabled org.openxmlformats.openxml,public.executable,public.spreadsheet xlsm application/vnd.ms-excel.sheet.macroenabled.12
  org.openxmlformats.spreadsheetml.template org.openxmlformats.openxml,public.spreadsheet xltx application/vnd.openxmlformats-officedocument.spreadsheetml.template
  org.openxmlformats.spreadsheetml.template.macroenabled org.openxmlformats.openxml,public.executable,public.spreadsheet xltm application/vnd.ms-excel.template.macroenabled.12
  org.openxmlformats.wordprocessingml.document org.openxmlformats.openxml docx application/vnd.openxmlformats-officedocument.wordprocessingml.document
  org.openxmlformats.wordprocessingml.document.macroenabled org.openxmlformats.openxml,public.executable docm application/vnd.ms-word.document.macroenabled.12
  org.openxmlformats.wordprocessingml.template org.openxmlformats.openxml dotx application/vnd.openxmlformats-officedocument.wordprocessingml.template
  org.openxmlformats.wordprocessingml.template.macroenabled org.openxmlformats.openxml,public.executable dotm application/vnd.ms-word.template.macroenabled.12
  org.opml.opml public.xml opml
  org.orgmode.org . org
  org.python.python-egg . egg
  org.smpte.mxf public.movie mxf application/mxf
  org.tug.tex.dvi . dvi
  org.tug.tex.xdv . xdv
  org.tukaani.tar-xz-archive public.archive,public.data txz
  org.tukaani.xz-archive public.archive,public.data xz
  org.videolan.aob . aob
  org.videolan.ape . ape
  org.videolan.axa . axa
  org.videolan.axv . axv
  org.videolan.divx . divx
  org.videolan.dts . dts
  org.videolan.gxf . gxf
  org.videolan.it . it
  org.videolan.mlp . mlp
  org.videolan.mod . mod,strk
  org.videolan.mpc . mpc
  org.videolan.mpeg-stream . m2p,tp,m2t,mt2s
  org.videolan.nsv . nsv
  org.videolan.oma . oma
  org.videolan.rec . rec
  org.videolan.rmi . rmi
  org.videolan.s3m . s3m
  org.videolan.tod . tod
  org.videolan.tta . tta
  org.videolan.vlc . vlc
  org.videolan.vob . vob
  org.videolan.voc . voc
  org.videolan.vqf . vqf
  org.videolan.vro . vro
  org.videolan.wtv . wtv
  org.videolan.wv . wv
  org.videolan.xa . xa
  org.videolan.xesc . xesc
  org.videolan.xm . xm
  org.w3.webvtt public.text vtt text/vtt
  org.webmproject.webm public.movie webm
  org.webmproject.webp public.image webp
  org.xiph.flac public.audio flac audio/flac
  org.xiph.ogg-audio public.audio ogg,oga
  org.xiph.ogv public.movie ogm,ogv
  org.xiph.opus . opus
  public.3d-content public.content
  public.3gpp public.movie 3gp,sdv,3gpp video/3gpp
  public.3gpp2 public.movie 3g2,3gp2 video/3gpp2
  public.aac-audio public.audio aac,adts audio/aac
  public.ac3-audio public.audio ac3 audio/ac3
  public.ada-source public.source-code ada,adb,ads
  public.aifc-audio public.audio aifc,aif,aiff,cdda audio/aiff
  public.aiff-audio public.aifc-audio aiff,aif
  public.alembic public.3d-content,public.data abc
  public.archive
  public.assembly-source public.source-code s
  public.au-audio public.audio au,snd audio/basic
  public.audio public.audiovisual-content
  public.audiovisual-content public.content,public.data
  public.avchd-content public.content,public.data bdm,bdmv
  public.avchd-mpeg-2-transport-stream public.mpeg-2-transport-stream mts,m2ts
  public.avci public.heif-standard avci image/avci
  public.avcs public.heif-standard avcs image/avcs
  public.avi public.movie avi,vfw video/avi
  public.avif public.heif-standard avif
  public.bash-script public.shell-script bash
  public.bookmark
  public.bzip2-archive public.archive,public.data bz2,bz application/x-bzip2
  public.c-header public.source-code h
  public.c-plus-plus-header public.source-code hh,hp,hpp,hxx,ipp
  public.c-plus-plus-inline-header public.c-plus-plus-header inl
  public.c-plus-plus-source public.source-code cp,cc,cpp,cxx
  public.c-plus-plus-source.preprocessed public.c-plus-plus-source,public.source-code.preprocessed ii
  public.c-source public.source-code c
  public.c-source.preprocessed public.c-source,public.source-code.preprocessed i
  public.calendar-event
  public.camera-raw-image public.image
  public.cdda-audio public.aifc-audio cdda
  public.comma-separated-values-text public.delimited-values-text,public.plain-text csv text/csv
  public.composite-content public.content
  public.contact
  public.content
  public.cpio-archive public.archive,public.data cpio,pax
  public.csh-script public.shell-script csh
  public.css public.text css text/css
  public.data public.item
  public.database
  public.delimited-values-text public.text
  public.directory public.item
  public.disk-image
  public.downloadable-sound public.audio dls audio/dls
  public.dv-movie public.movie dv,dif video/x-dv
  public.dylan-source public.source-code dlyan,lid
  public.email-message public.message
  public.enhanced-ac3-audio public.audio eac3,ec3 audio/eac3
  public.executable public.item
  public.fax public.image
  public.file-url public.url
  public.flc-animation public.movie flc,cel,fli video/flc
  public.folder public.directory
  public.font
  public.fortran-77-source public.fortran-source f77
  public.fortran-90-source public.fortran-source f90
  public.fortran-95-source public.fortran-source f95
  public.fortran-source public.source-code f,for
  public.geometry-definition-format public.3d-content,public.text obj
  public.haptics-content public.content,public.item
  public.heic public.heif-standard heic image/heic
  public.heics public.heif-standard heics image/heic-sequence
  public.heif public.heif-standard heif,hif image/heif
  public.heif-standard public.image
  public.heifs public.heif-standard heifs image/heif-sequence
  public.html public.text html,htm,shtm,shtml text/html
  public.image public.content,public.data
  public.iso-image com.apple.disk-image iso
  public.item
  public.jpeg public.image jpeg,jpe,jpg image/jpeg
  public.jpeg-2000 public.image jp2,jpf,jpx,j2c,j2k image/jp2
  public.json public.text json application/json
  public.ksh-script public.shell-script ksh
  public.lex-source public.source-code l,ll,lm,lmm,lpp,lxx
  public.log
  public.m3u-playlist public.plain-text,public.playlist m3u,m3u8 audio/mpegurl
  public.make-source public.script make,mk,gmk,mak
  public.message
  public.midi-audio public.audio midi,kar,mid,smf audio/midi
  public.mig-source public.source-code defs,mig
  public.movie public.audiovisual-content
  public.mp2 public.audio mp2
  public.mp3 public.audio mp3,mpga audio/mpeg
  public.mp4a-loas public.audio loas,latm
  public.mpeg public.movie mpg,mpe,m15,m75,mpeg video/mpeg
  public.mpeg-2-transport-stream public.movie ts
  public.mpeg-2-video public.video m2v video/mpeg2
  public.mpeg-4 public.movie mp4,mpg4 video/mp4
  public.mpeg-4-audio public.audio,public.mpeg-4
  public.mpo-image public.image mpo
  public.nasm-assembly-source public.source-code nasm
  public.ndjson public.text ndjson
  public.object-code public.data,public.executable o
  public.objective-c-plus-plus-source public.source-code mm
  public.objective-c-plus-plus-source.preprocessed public.objective-c-plus-plus-source,public.source-code.preprocessed mii
  public.objective-c-source public.source-code m
  public.objective-c-source.preprocessed public.objective-c-source,public.source-code.preprocessed mi
  public.ofd public.composite-content,public.data ofd
  public.opencl-source public.source-code cl
  public.opentype-collection-font public.opentype-font otc
  public.opentype-font public.data,public.font otf
  public.pascal-source public.source-code pas
  public.patch-file public.plain-text patch,diff
  public.pbm public.image pbm,pfm,pgm,ppm
  public.perl-script public.shell-script pl,pm text/x-perl-script
  public.php-script public.shell-script php,ph3,ph4,php3,php4,phtml text/php
  public.plain-text public.text txt,text text/plain
  public.playlist
  public.pls-playlist public.playlist,public.text pls audio/x-scpls
  public.png public.image png image/png
  public.polygon-file-format public.3d-content,public.data ply
  public.precompiled-c-header public.source-code pch
  public.presentation public.composite-content
  public.protobuf-source public.source-code proto
  public.pvr public.image pvr
  public.python-script public.shell-script py text/x-python-script
  public.radiance public.image hdr
  public.rss public.xml rss application/rss+xml
  public.rtf public.text rtf text/rtf
  public.ruby-script public.shell-script rb,rbw text/x-ruby-script
  public.script public.source-code
  public.shell-script public.script sh
  public.source-code public.plain-text
  public.source-code.preprocessed public.source-code
  public.spreadsheet public.content
  public.standard-tesselated-geometry-format public.3d-content,public.data stl
  public.stored-url public.data
  public.svg-image public.image,public.xml svg,svgz image/svg+xml
  public.swift-source public.source-code swift
  public.symlink com.apple.resolvable,public.item
  public.tab-separated-values-text public.delimited-values-text,public.plain-text tsv text/tab-separated-values
  public.tar-archive org.gnu.gnu-tar-archive tar application/x-tar
  public.tar-bzip2-archive public.bzip2-archive tbz2,tbz
  public.tcsh-script public.shell-script tcsh
  public.text public.content,public.data
  public.tiff public.image tiff,tif image/tiff
  public.to-do-item
  public.truetype-collection-font public.truetype-font ttc
  public.truetype-font public.data,public.font
  public.truetype-ttf-font public.truetype-font ttf
  public.ulaw-audio public.audio ul,ulw,ulaw
  public.unix-executable public.data,public.executable
  public.url public.data
  public.utf16-external-plain-text public.plain-text
  public.utf16-plain-text public.plain-text
  public.utf8-plain-text public.plain-text
  public.utf8-tab-separated-values-text public.tab-separated-values-text,public.utf8-plain-text
  public.uuencoded-archive public.archive,public.data uu text/x-uuencode
  public.vcard public.contact,public.text vcf,vcard text/directory
  public.video public.movie
  public.volume public.folder
  public.x509-certificate public.data cer,crt,der,pem application/x-x509-ca-cert
  public.xbitmap-image public.image xbm image/x-xbitmap
  public.xfd public.xml xfd
  public.xhtml public.xml xhtml,xht,xhtm application/xhtml+xml
  public.xml public.text xml application/xml
  public.yacc-source public.source-code y,ym,yy,ymm,ypp,yxx
  public.yaml public.text yml,yaml application/x-yaml
  public.z-archive public.archive,public.data z application/x-compress
  public.zip-archive com.pkware.zip-archive zip application/zip
  public.zsh-script public.shell-script zsh
  """)
