# fish completion for docsource, written by 'docsource completions fish'.

# The words that name the verb.
function __docsource_verb
    set -l words (commandline -opc)
    set -e words[1]
    set -l verb
    for word in $words
        set -l longer (string join -- ' ' $verb $word)
        contains -- $longer 'tag' 'show' 'remove' 'copy' 'find' 'export' 'import' 'trace' 'watch' 'adopt' 'strip' 'emit' 'icon' 'icon trust' 'icon trust add' 'icon trust list' 'icon trust remove' 'apps' 'apps list' 'apps show' 'apps add' 'apps remove' 'doctor' 'plist' 'plist show' 'plist encode' 'plist check' 'completions' 'help'; or break
        set verb $longer
    end
    echo "$verb"
end

# Whether the command line is at this verb.
function __docsource_at
    set -l verb (__docsource_verb)
    test "$verb" = "$argv"
end

# Whether nothing but these words is there so far.
function __docsource_behind
    set -l words (commandline -opc)
    set -e words[1]
    test "$words" = "$argv"
end

# The same, whatever options are among them.
function __docsource_shows
    set -l words (commandline -opc)
    set -e words[1]
    set -l plain (string match -v -- '-*' $words)
    test "$plain" = "$argv"
end

# Whether an option is not given yet, or its value is what is being typed.
function __docsource_lacks -a long short letters value
    set -l words (commandline -opc)
    set -e words[1]
    set -l given "--$long(=.*)?"
    set -l open "--$long"
    if test -n "$short"
        set given "$given|-[$letters]*$short.*"
        set open "$open|-[$letters]*$short"
    end
    if test -n "$value"; and string match -rq -- "^($open)\$" "$words[-1]"
        return 0
    end
    not string match -rq -- "^($given)\$" $words
end

# Whether one of these options has begun a command.
function __docsource_runs
    for word in (commandline -opc)
        contains -- $word $argv; and return 0
    end
    return 1
end

# The command, which is as it was typed.
function __docsource_program
    set -l words (commandline -opc)
    set -l program $words[1]
    if string match -q -- '~/*' $program
        set program $HOME/(string sub -s 3 -- $program)
    end
    command -q -- $program; or set program docsource
    echo $program
end

function __docsource_identifiers
    set -l program (__docsource_program)
    $program apps list --json 2>/dev/null | string replace -rf -- \
        '^.*"identifier":"([^"\\\\]+)"(?:.*"name":"([^"\\\\]+)")?.*$' '$1\t$2'
end

function __docsource_hosts
    set -l program (__docsource_program)
    $program icon trust list 2>/dev/null
end

complete -c docsource -f
complete -c docsource -n '__docsource_behind' -a tag -d 'write which application a file came from'
complete -c docsource -n '__docsource_behind' -a show -d 'read which application a file came from'
complete -c docsource -n '__docsource_behind' -a remove -d 'remove the mark of the application a file came from'
complete -c docsource -n '__docsource_behind' -a copy -d 'give files the mark of another file'
complete -c docsource -n '__docsource_behind' -a find -d 'list files by the application they came from'
complete -c docsource -n '__docsource_behind' -a export -d 'write a manifest of the marks of a tree'
complete -c docsource -n '__docsource_behind' -a import -d 'write the marks that a manifest lists'
complete -c docsource -n '__docsource_behind' -a trace -d 'tell by every mark where a file came from'
complete -c docsource -n '__docsource_behind' -a watch -d 'tag new documents with the application that wrote them'
complete -c docsource -n '__docsource_behind' -a adopt -d 'make attributes native that other systems left in their forms'
complete -c docsource -n '__docsource_behind' -a strip -d 'remove marks of origin before files are given away'
complete -c docsource -n '__docsource_behind' -a emit -d 'write marks of origin as other systems look for them'
complete -c docsource -n '__docsource_behind' -a icon -d 'find or fetch the icon of the application a file came from'
complete -c docsource -n '__docsource_behind' -a apps -d 'list the applications known here, and keep your own list'
complete -c docsource -n '__docsource_behind' -a doctor -d 'tell whether files can carry the attribute, and why not'
complete -c docsource -n '__docsource_behind' -a plist -d 'show, encode and check binary property lists'
complete -c docsource -n '__docsource_behind' -a completions -d 'print the completion script for a shell'
complete -c docsource -n '__docsource_behind' -a help -d 'show how a verb is used'
complete -c docsource -n '__docsource_behind icon' -a trust -d 'keep the list of trusted hosts'
complete -c docsource -n '__docsource_behind icon trust' -a add -d 'trust hosts'
complete -c docsource -n '__docsource_behind icon trust' -a list -d 'print the trusted hosts, a line each'
complete -c docsource -n '__docsource_behind icon trust' -a remove -d 'trust hosts no longer'
complete -c docsource -n '__docsource_behind apps' -a list -d 'print the known applications, sorted'
complete -c docsource -n '__docsource_behind apps' -a show -d 'print all that is known of applications'
complete -c docsource -n '__docsource_behind apps' -a add -d 'put an application on your own list'
complete -c docsource -n '__docsource_behind apps' -a remove -d 'take applications off your own list'
complete -c docsource -n '__docsource_behind plist' -a show -d 'print what is in binary property lists'
complete -c docsource -n '__docsource_behind plist' -a encode -d 'make a binary property list from JSON or XML'
complete -c docsource -n '__docsource_behind plist' -a check -d 'check that files are well-formed binary property lists'
complete -c docsource -n '__docsource_behind' -s h -l help -d 'show this help; \'docsource help VERB\' shows a verb\'s'
complete -c docsource -n '__docsource_behind' -s V -l version -d 'show the version'
complete -c docsource -n '__docsource_at tag' -F
complete -c docsource -n '__docsource_at tag; and __docsource_lacks app "" "rnqIh" value' -l app -x -a '(__docsource_identifiers)' -d 'a known application\'s identifier, name and URL'
complete -c docsource -n '__docsource_at tag; and __docsource_lacks identifier "i" "rnqIh" value' -s i -l identifier -x -a '(__docsource_identifiers)' -d 'the application\'s bundle identifier'
complete -c docsource -n '__docsource_at tag; and __docsource_lacks name "" "rnqIh" value' -l name -x -d 'the application\'s name for people'
complete -c docsource -n '__docsource_at tag; and __docsource_lacks path "p" "rnqIh" value' -s p -l path -x -d 'the document\'s path inside the application'
complete -c docsource -n '__docsource_at tag; and __docsource_lacks root "" "rnqIh" value' -l root -x -a '(__fish_complete_directories)' -d 'take each file\'s path below DIR as its path'
complete -c docsource -n '__docsource_at tag; and __docsource_lacks app-info-url "u" "rnqIh" value' -s u -l app-info-url -x -d 'where the application\'s icons are listed'
complete -c docsource -n '__docsource_at tag; and __docsource_lacks replace "" "rnqIh"' -l replace -d 'start afresh instead of changing what is there'
complete -c docsource -n '__docsource_at tag; and __docsource_lacks insecure-url "" "rnqIh"' -l insecure-url -d 'accept a URL that is not https'
complete -c docsource -n '__docsource_at tag; and __docsource_lacks recursive "r" "rnqIh"' -s r -l recursive -d 'work on all below directories; follow no links'
complete -c docsource -n '__docsource_at tag; and __docsource_lacks no-dereference "" "rnqIh"' -l no-dereference -d 'act on a symbolic link itself'
complete -c docsource -n '__docsource_at tag; and __docsource_lacks dry-run "n" "rnqIh"' -s n -l dry-run -d 'say what would be done and write nothing'
complete -c docsource -n '__docsource_at tag; and __docsource_lacks quiet "q" "rnqIh"' -s q -l quiet -d 'say nothing of files that are done'
complete -c docsource -n '__docsource_at tag; and __docsource_lacks threads "j" "rnqIh" value' -s j -l threads -x -d 'work on N files at a time'
complete -c docsource -n '__docsource_at tag; and __docsource_lacks untagged "" "rnqIh"' -l untagged -d 'those without a source'
complete -c docsource -n '__docsource_at tag' -l if-identifier -x -a '(__docsource_identifiers)' -d 'only where the identifier matches now'
complete -c docsource -n '__docsource_at tag' -l if-name -x -d 'only where the name matches now'
complete -c docsource -n '__docsource_at tag' -l if-path -x -d 'only where the path matches now'
complete -c docsource -n '__docsource_at tag; and __docsource_lacks damaged "" "rnqIh"' -l damaged -d 'those whose attribute cannot be read'
complete -c docsource -n '__docsource_at tag' -l file -x -d 'those whose own name matches'
complete -c docsource -n '__docsource_at tag; and __docsource_lacks ignore-case "I" "rnqIh"' -s I -l ignore-case -d 'let letters match in either case'
complete -c docsource -n '__docsource_at tag; and __docsource_lacks type "t" "rnqIh" value' -s t -l type -x -a 'f d' -d 'files or directories alone'
complete -c docsource -n '__docsource_at tag; and __docsource_lacks max-depth "d" "rnqIh" value' -s d -l max-depth -x -d 'go N levels down at most; 0 is none'
complete -c docsource -n '__docsource_at tag; and __docsource_lacks one-file-system "" "rnqIh"' -l one-file-system -d 'do not go into other file systems'
complete -c docsource -n '__docsource_at tag; and __docsource_lacks no-hidden "" "rnqIh"' -l no-hidden -d 'leave out what begins with a period'
complete -c docsource -n '__docsource_at tag; and __docsource_lacks help "h" "rnqIh"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_at show' -F
complete -c docsource -n '__docsource_at show; and __docsource_lacks json "" "0rqh"' -l json -d 'one JSON object a line; exact, for programs'
complete -c docsource -n '__docsource_at show; and __docsource_lacks field "f" "0rqh" value' -s f -l field -x -a 'identifier name path appInfoURL' -d 'one value alone'
complete -c docsource -n '__docsource_at show; and __docsource_lacks xml "" "0rqh"' -l xml -d 'the whole value as an XML property list'
complete -c docsource -n '__docsource_at show; and __docsource_lacks raw "" "0rqh"' -l raw -d 'the attribute\'s bytes as they are'
complete -c docsource -n '__docsource_at show; and __docsource_lacks null "0" "0rqh"' -s 0 -l null -d 'end each line with NUL and escape nothing'
complete -c docsource -n '__docsource_at show; and __docsource_lacks recursive "r" "0rqh"' -s r -l recursive -d 'work on all below directories; follow no links'
complete -c docsource -n '__docsource_at show; and __docsource_lacks no-dereference "" "0rqh"' -l no-dereference -d 'act on a symbolic link itself'
complete -c docsource -n '__docsource_at show; and __docsource_lacks quiet "q" "0rqh"' -s q -l quiet -d 'print nothing; the exit status tells'
complete -c docsource -n '__docsource_at show; and __docsource_lacks help "h" "0rqh"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_at remove' -F
complete -c docsource -n '__docsource_at remove; and __docsource_lacks recursive "r" "rnqIh"' -s r -l recursive -d 'work on all below directories; follow no links'
complete -c docsource -n '__docsource_at remove; and __docsource_lacks no-dereference "" "rnqIh"' -l no-dereference -d 'act on a symbolic link itself'
complete -c docsource -n '__docsource_at remove; and __docsource_lacks dry-run "n" "rnqIh"' -s n -l dry-run -d 'say what would be done and remove nothing'
complete -c docsource -n '__docsource_at remove; and __docsource_lacks quiet "q" "rnqIh"' -s q -l quiet -d 'say nothing of files that are done'
complete -c docsource -n '__docsource_at remove; and __docsource_lacks threads "j" "rnqIh" value' -s j -l threads -x -d 'work on N files at a time'
complete -c docsource -n '__docsource_at remove' -s i -l identifier -x -a '(__docsource_identifiers)' -d 'those whose application\'s identifier matches'
complete -c docsource -n '__docsource_at remove' -l name -x -d 'those whose application\'s name matches'
complete -c docsource -n '__docsource_at remove' -s p -l path -x -d 'those whose path in the application matches'
complete -c docsource -n '__docsource_at remove; and __docsource_lacks damaged "" "rnqIh"' -l damaged -d 'those whose attribute cannot be read'
complete -c docsource -n '__docsource_at remove' -l file -x -d 'those whose own name matches'
complete -c docsource -n '__docsource_at remove; and __docsource_lacks ignore-case "I" "rnqIh"' -s I -l ignore-case -d 'let letters match in either case'
complete -c docsource -n '__docsource_at remove; and __docsource_lacks type "t" "rnqIh" value' -s t -l type -x -a 'f d' -d 'files or directories alone'
complete -c docsource -n '__docsource_at remove; and __docsource_lacks max-depth "d" "rnqIh" value' -s d -l max-depth -x -d 'go N levels down at most; 0 is none'
complete -c docsource -n '__docsource_at remove; and __docsource_lacks one-file-system "" "rnqIh"' -l one-file-system -d 'do not go into other file systems'
complete -c docsource -n '__docsource_at remove; and __docsource_lacks no-hidden "" "rnqIh"' -l no-hidden -d 'leave out what begins with a period'
complete -c docsource -n '__docsource_at remove; and __docsource_lacks help "h" "rnqIh"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_at copy' -F
complete -c docsource -n '__docsource_at copy; and __docsource_lacks all-attributes "a" "anqh"' -s a -l all-attributes -d 'copy every attribute that /etc/xattr.conf lets through'
complete -c docsource -n '__docsource_at copy; and __docsource_lacks no-dereference "" "anqh"' -l no-dereference -d 'act on a symbolic link itself'
complete -c docsource -n '__docsource_at copy; and __docsource_lacks dry-run "n" "anqh"' -s n -l dry-run -d 'say what would be done and write nothing'
complete -c docsource -n '__docsource_at copy; and __docsource_lacks quiet "q" "anqh"' -s q -l quiet -d 'say nothing of files that are done'
complete -c docsource -n '__docsource_at copy; and __docsource_lacks help "h" "anqh"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_at find' -a '(__fish_complete_directories)'
complete -c docsource -n '__docsource_at find; and __docsource_runs --exec -x --exec-batch -X' -F
complete -c docsource -n '__docsource_at find' -s i -l identifier -x -a '(__docsource_identifiers)' -d 'those whose application\'s identifier matches'
complete -c docsource -n '__docsource_at find' -l name -x -d 'those whose application\'s name matches'
complete -c docsource -n '__docsource_at find' -s p -l path -x -d 'those whose path in the application matches'
complete -c docsource -n '__docsource_at find; and __docsource_lacks untagged "" "H0csIh"' -l untagged -d 'those without a source'
complete -c docsource -n '__docsource_at find; and __docsource_lacks hidden "H" "H0csIh"' -s H -l hidden -d 'also what begins with a period'
complete -c docsource -n '__docsource_at find; and __docsource_lacks null "0" "H0csIh"' -s 0 -l null -d 'end each line with NUL and escape nothing'
complete -c docsource -n '__docsource_at find; and __docsource_lacks json "" "H0csIh"' -l json -d 'one JSON object a line; exact'
complete -c docsource -n '__docsource_at find; and __docsource_lacks format "" "H0csIh" value' -l format -x -d 'a line of {path}, {file}, {identifier}, {name}, …'
complete -c docsource -n '__docsource_at find; and __docsource_lacks count "c" "H0csIh"' -s c -l count -d 'only how many there are'
complete -c docsource -n '__docsource_at find; and __docsource_lacks summary "s" "H0csIh"' -s s -l summary -d 'a table of applications and how many files of each'
complete -c docsource -n '__docsource_at find; and __docsource_lacks sort "" "H0csIh"' -l sort -d 'order by path; holds all that is found in memory'
complete -c docsource -n '__docsource_at find; and __docsource_lacks exec "x" "H0csIh" value' -s x -l exec -x -a '(__fish_complete_command)' -d 'run CMD for each, several at a time; {} is its path'
complete -c docsource -n '__docsource_at find; and __docsource_lacks exec-batch "X" "H0csIh" value' -s X -l exec-batch -x -a '(__fish_complete_command)' -d 'run CMD with as many as fit; it ends at \';\''
complete -c docsource -n '__docsource_at find; and __docsource_lacks threads "j" "H0csIh" value' -s j -l threads -x -d 'work on N files at a time'
complete -c docsource -n '__docsource_at find; and __docsource_lacks damaged "" "H0csIh"' -l damaged -d 'those whose attribute cannot be read'
complete -c docsource -n '__docsource_at find' -l file -x -d 'those whose own name matches'
complete -c docsource -n '__docsource_at find; and __docsource_lacks ignore-case "I" "H0csIh"' -s I -l ignore-case -d 'let letters match in either case'
complete -c docsource -n '__docsource_at find; and __docsource_lacks type "t" "H0csIh" value' -s t -l type -x -a 'f d' -d 'files or directories alone'
complete -c docsource -n '__docsource_at find; and __docsource_lacks max-depth "d" "H0csIh" value' -s d -l max-depth -x -d 'go N levels down at most; 0 is none'
complete -c docsource -n '__docsource_at find; and __docsource_lacks one-file-system "" "H0csIh"' -l one-file-system -d 'do not go into other file systems'
complete -c docsource -n '__docsource_at find; and __docsource_lacks samba "" "H0csIh"' -l samba -d 'also what has Samba\'s form alone; slower'
complete -c docsource -n '__docsource_at find; and __docsource_lacks help "h" "H0csIh"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_at export' -a '(__fish_complete_directories)'
complete -c docsource -n '__docsource_at export' -F
complete -c docsource -n '__docsource_at export; and __docsource_lacks output "o" "xh" value' -s o -l output -r -F -d 'write to FILE, or - for standard output'
complete -c docsource -n '__docsource_at export; and __docsource_lacks format "" "xh" value' -l format -x -a 'json getfattr' -d 'one JSON object a line, or what setfattr --restore reads'
complete -c docsource -n '__docsource_at export; and __docsource_lacks root "" "xh" value' -l root -x -a '(__fish_complete_directories)' -d 'write paths as they lead from DIR'
complete -c docsource -n '__docsource_at export; and __docsource_lacks one-file-system "x" "xh"' -s x -l one-file-system -d 'stay on each operand\'s file system'
complete -c docsource -n '__docsource_at export; and __docsource_lacks help "h" "xh"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_at import' -F
complete -c docsource -n '__docsource_at import; and __docsource_lacks root "" "nqh" value' -l root -x -a '(__fish_complete_directories)' -d 'where paths lead from, otherwise the working directory'
complete -c docsource -n '__docsource_at import; and __docsource_lacks keep-existing "" "nqh"' -l keep-existing -d 'leave files alone that have a document source'
complete -c docsource -n '__docsource_at import; and __docsource_lacks allow-outside "" "nqh"' -l allow-outside -d 'take absolute paths and \'..\' too, which lead out of DIR'
complete -c docsource -n '__docsource_at import; and __docsource_lacks insecure-url "" "nqh"' -l insecure-url -d 'accept a URL that is not https in a "source"'
complete -c docsource -n '__docsource_at import; and __docsource_lacks dry-run "n" "nqh"' -s n -l dry-run -d 'say what would be done and write nothing'
complete -c docsource -n '__docsource_at import; and __docsource_lacks quiet "q" "nqh"' -s q -l quiet -d 'say nothing of files that are done'
complete -c docsource -n '__docsource_at import; and __docsource_lacks help "h" "nqh"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_at trace' -F
complete -c docsource -n '__docsource_at trace; and __docsource_lacks json "" "rh"' -l json -d 'one JSON object a line; exact, for programs'
complete -c docsource -n '__docsource_at trace; and __docsource_lacks raw "" "rh" value' -l raw -x -d 'the bytes of one mark as they are, by where it stands'
complete -c docsource -n '__docsource_at trace; and __docsource_lacks no-recent "" "rh"' -l no-recent -d 'leave out the desktop\'s list of recently used files'
complete -c docsource -n '__docsource_at trace; and __docsource_lacks recursive "r" "rh"' -s r -l recursive -d 'work on all below directories; follow no links'
complete -c docsource -n '__docsource_at trace; and __docsource_lacks no-dereference "" "rh"' -l no-dereference -d 'act on a symbolic link itself'
complete -c docsource -n '__docsource_at trace; and __docsource_lacks threads "j" "rh" value' -s j -l threads -x -d 'work on N files at a time'
complete -c docsource -n '__docsource_at trace; and __docsource_lacks help "h" "rh"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_at watch' -a '(__fish_complete_directories)'
complete -c docsource -n '__docsource_at watch; and __docsource_lacks enable "" "nvqh"' -l enable -d 'switch it on for you, with the settings that are given'
complete -c docsource -n '__docsource_at watch; and __docsource_lacks disable "" "nvqh"' -l disable -d 'switch it off for you'
complete -c docsource -n '__docsource_at watch; and __docsource_lacks status "" "nvqh"' -l status -d 'tell whether it is on for you and the service runs'
complete -c docsource -n '__docsource_at watch' -l include -x -d 'only files whose name, or with a / in it path, matches'
complete -c docsource -n '__docsource_at watch' -l exclude -x -d 'no files whose name or path matches'
complete -c docsource -n '__docsource_at watch; and __docsource_lacks policy "" "nvqh" value' -l policy -x -a 'keep last' -d 'what becomes of a source that is there'
complete -c docsource -n '__docsource_at watch; and __docsource_lacks mount "" "nvqh"' -l mount -d 'watch single mounts, not whole file systems'
complete -c docsource -n '__docsource_at watch; and __docsource_lacks once "" "nvqh" value' -l once -x -d 'stop after that time'
complete -c docsource -n '__docsource_at watch; and __docsource_lacks dry-run "n" "nvqh"' -s n -l dry-run -d 'write nothing, tell what would be written'
complete -c docsource -n '__docsource_at watch; and __docsource_lacks json "" "nvqh"' -l json -d 'print one JSON object a line'
complete -c docsource -n '__docsource_at watch; and __docsource_lacks verbose "v" "nvqh"' -s v -l verbose -d 'tell of files that are not tagged, too'
complete -c docsource -n '__docsource_at watch; and __docsource_lacks quiet "q" "nvqh"' -s q -l quiet -d 'tell of no single file'
complete -c docsource -n '__docsource_at watch; and __docsource_lacks help "h" "nvqh"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_at adopt' -F
complete -c docsource -n '__docsource_at adopt; and __docsource_lacks archive "" "rnqIh" value' -l archive -r -F -d 'apply what a zip or tar holds to DIR, extracted from it'
complete -c docsource -n '__docsource_at adopt; and __docsource_lacks limit "" "rnqIh" value' -l limit -x -d 'with --archive, unpack at most SIZE, 256M unless given; none lifts it'
complete -c docsource -n '__docsource_at adopt; and __docsource_lacks keep "" "rnqIh" value' -l keep -x -a 'mostrecent dotbar native' -d 'what counts where both say something'
complete -c docsource -n '__docsource_at adopt; and __docsource_lacks leave "" "rnqIh"' -l leave -d 'leave the other forms where they are'
complete -c docsource -n '__docsource_at adopt; and __docsource_lacks infer "" "rnqIh"' -l infer -d 'where there is no source, take what other marks tell'
complete -c docsource -n '__docsource_at adopt; and __docsource_lacks recursive "r" "rnqIh"' -s r -l recursive -d 'work on all below directories; follow no links'
complete -c docsource -n '__docsource_at adopt; and __docsource_lacks no-dereference "" "rnqIh"' -l no-dereference -d 'act on a symbolic link itself'
complete -c docsource -n '__docsource_at adopt; and __docsource_lacks dry-run "n" "rnqIh"' -s n -l dry-run -d 'say what would be done and change nothing'
complete -c docsource -n '__docsource_at adopt; and __docsource_lacks quiet "q" "rnqIh"' -s q -l quiet -d 'say nothing of files that are done'
complete -c docsource -n '__docsource_at adopt; and __docsource_lacks threads "j" "rnqIh" value' -s j -l threads -x -d 'work on N files at a time'
complete -c docsource -n '__docsource_at adopt' -s i -l identifier -x -a '(__docsource_identifiers)' -d 'those whose application\'s identifier matches'
complete -c docsource -n '__docsource_at adopt' -l name -x -d 'those whose application\'s name matches'
complete -c docsource -n '__docsource_at adopt' -s p -l path -x -d 'those whose path in the application matches'
complete -c docsource -n '__docsource_at adopt; and __docsource_lacks damaged "" "rnqIh"' -l damaged -d 'those whose attribute cannot be read'
complete -c docsource -n '__docsource_at adopt' -l file -x -d 'those whose own name matches'
complete -c docsource -n '__docsource_at adopt; and __docsource_lacks ignore-case "I" "rnqIh"' -s I -l ignore-case -d 'let letters match in either case'
complete -c docsource -n '__docsource_at adopt; and __docsource_lacks type "t" "rnqIh" value' -s t -l type -x -a 'f d' -d 'files or directories alone'
complete -c docsource -n '__docsource_at adopt; and __docsource_lacks max-depth "d" "rnqIh" value' -s d -l max-depth -x -d 'go N levels down at most; 0 is none'
complete -c docsource -n '__docsource_at adopt; and __docsource_lacks one-file-system "" "rnqIh"' -l one-file-system -d 'do not go into other file systems'
complete -c docsource -n '__docsource_at adopt; and __docsource_lacks no-hidden "" "rnqIh"' -l no-hidden -d 'leave out what begins with a period'
complete -c docsource -n '__docsource_at adopt; and __docsource_lacks help "h" "rnqIh"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_at strip' -F
complete -c docsource -n '__docsource_at strip' -l keep -x -a 'source creator download zone notes type use' -d 'leave marks of a kind'
complete -c docsource -n '__docsource_at strip; and __docsource_lacks recursive "r" "rnqIh"' -s r -l recursive -d 'work on all below directories; follow no links'
complete -c docsource -n '__docsource_at strip; and __docsource_lacks no-dereference "" "rnqIh"' -l no-dereference -d 'act on a symbolic link itself'
complete -c docsource -n '__docsource_at strip; and __docsource_lacks dry-run "n" "rnqIh"' -s n -l dry-run -d 'say what would be removed and remove nothing'
complete -c docsource -n '__docsource_at strip; and __docsource_lacks quiet "q" "rnqIh"' -s q -l quiet -d 'say nothing of files that are done'
complete -c docsource -n '__docsource_at strip; and __docsource_lacks threads "j" "rnqIh" value' -s j -l threads -x -d 'work on N files at a time'
complete -c docsource -n '__docsource_at strip' -s i -l identifier -x -a '(__docsource_identifiers)' -d 'those whose application\'s identifier matches'
complete -c docsource -n '__docsource_at strip' -l name -x -d 'those whose application\'s name matches'
complete -c docsource -n '__docsource_at strip' -s p -l path -x -d 'those whose path in the application matches'
complete -c docsource -n '__docsource_at strip; and __docsource_lacks damaged "" "rnqIh"' -l damaged -d 'those whose attribute cannot be read'
complete -c docsource -n '__docsource_at strip' -l file -x -d 'those whose own name matches'
complete -c docsource -n '__docsource_at strip; and __docsource_lacks ignore-case "I" "rnqIh"' -s I -l ignore-case -d 'let letters match in either case'
complete -c docsource -n '__docsource_at strip; and __docsource_lacks type "t" "rnqIh" value' -s t -l type -x -a 'f d' -d 'files or directories alone'
complete -c docsource -n '__docsource_at strip; and __docsource_lacks max-depth "d" "rnqIh" value' -s d -l max-depth -x -d 'go N levels down at most; 0 is none'
complete -c docsource -n '__docsource_at strip; and __docsource_lacks one-file-system "" "rnqIh"' -l one-file-system -d 'do not go into other file systems'
complete -c docsource -n '__docsource_at strip; and __docsource_lacks no-hidden "" "rnqIh"' -l no-hidden -d 'leave out what begins with a period'
complete -c docsource -n '__docsource_at strip; and __docsource_lacks help "h" "rnqIh"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_at emit' -F
complete -c docsource -n '__docsource_at emit; and __docsource_lacks apple-double "" "fnqh"' -l apple-double -d 'write the file ._FILE that Macs read'
complete -c docsource -n '__docsource_at emit; and __docsource_lacks xdg "" "fnqh"' -l xdg -d 'write user.xdg.origin.url, user.xdg.referrer.url, user.creator'
complete -c docsource -n '__docsource_at emit; and __docsource_lacks zone "" "fnqh"' -l zone -d 'write Windows\' Zone.Identifier as an attribute'
complete -c docsource -n '__docsource_at emit; and __docsource_lacks force "f" "fnqh"' -s f -l force -d 'replace marks that say something else'
complete -c docsource -n '__docsource_at emit; and __docsource_lacks no-dereference "" "fnqh"' -l no-dereference -d 'act on a symbolic link itself'
complete -c docsource -n '__docsource_at emit; and __docsource_lacks dry-run "n" "fnqh"' -s n -l dry-run -d 'say what would be written and write nothing'
complete -c docsource -n '__docsource_at emit; and __docsource_lacks quiet "q" "fnqh"' -s q -l quiet -d 'say nothing of files that are done'
complete -c docsource -n '__docsource_at emit; and __docsource_lacks help "h" "fnqh"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_at icon' -F
complete -c docsource -n '__docsource_at icon' -a '(__docsource_identifiers)'
complete -c docsource -n '__docsource_at icon; and __docsource_lacks size "" "0h" value' -l size -x -d 'how large; 64 if not given'
complete -c docsource -n '__docsource_at icon; and __docsource_lacks scale "" "0h" value' -l scale -x -d 'pixels a point; 1 if not given'
complete -c docsource -n '__docsource_at icon; and __docsource_lacks shape "" "0h" value' -l shape -x -a 'continuous superellipse circle-corner none' -d 'the outline'
complete -c docsource -n '__docsource_at icon; and __docsource_lacks no-stroke "" "0h"' -l no-stroke -d 'no hairline along the outline'
complete -c docsource -n '__docsource_at icon; and __docsource_lacks output "o" "0h" value' -s o -l output -r -F -d 'write the PNG to FILE, or - for standard output'
complete -c docsource -n '__docsource_at icon; and __docsource_lacks inline "" "0h"' -l inline -d 'show it here, on the terminal'
complete -c docsource -n '__docsource_at icon; and __docsource_lacks install "" "0h"' -l install -d 'put it into your icon theme, for file managers'
complete -c docsource -n '__docsource_at icon; and __docsource_lacks offline "" "0h"' -l offline -d 'use no network'
complete -c docsource -n '__docsource_at icon; and __docsource_lacks trusted "" "0h"' -l trusted -d 'fetch from trusted hosts alone'
complete -c docsource -n '__docsource_at icon; and __docsource_lacks refresh "" "0h"' -l refresh -d 'ask the server even if not necessary'
complete -c docsource -n '__docsource_at icon; and __docsource_lacks explain "" "0h"' -l explain -d 'say why this one, and why no other'
complete -c docsource -n '__docsource_at icon; and __docsource_lacks json "" "0h"' -l json -d 'one JSON object a line; exact'
complete -c docsource -n '__docsource_at icon; and __docsource_lacks null "0" "0h"' -s 0 -l null -d 'end each line with NUL and escape nothing'
complete -c docsource -n '__docsource_at icon; and __docsource_lacks cache-stats "" "0h"' -l cache-stats -d 'say what the cache holds'
complete -c docsource -n '__docsource_at icon; and __docsource_lacks cache-prune "" "0h"' -l cache-prune -d 'bring the cache below its limits'
complete -c docsource -n '__docsource_at icon; and __docsource_lacks cache-clear "" "0h"' -l cache-clear -d 'empty the cache'
complete -c docsource -n '__docsource_at icon; and __docsource_lacks help "h" "0h"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_at icon trust; and __docsource_lacks help "h" "h"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_at icon trust add; and __docsource_lacks help "h" "h"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_at icon trust list; and __docsource_lacks help "h" "h"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_at icon trust remove' -a '(__docsource_hosts)'
complete -c docsource -n '__docsource_at icon trust remove; and __docsource_lacks help "h" "h"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_at apps; and __docsource_lacks origin "" "ah" value' -l origin -x -a 'user installed built-in' -d 'only what this one says'
complete -c docsource -n '__docsource_at apps; and __docsource_lacks all "a" "ah"' -s a -l all -d 'also installed ones that menus leave out'
complete -c docsource -n '__docsource_at apps; and __docsource_lacks json "" "ah"' -l json -d 'print one JSON object a line'
complete -c docsource -n '__docsource_at apps; and __docsource_lacks help "h" "ah"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_at apps list; and __docsource_lacks origin "" "ah" value' -l origin -x -a 'user installed built-in' -d 'only what this one says'
complete -c docsource -n '__docsource_at apps list; and __docsource_lacks all "a" "ah"' -s a -l all -d 'also installed ones that menus leave out'
complete -c docsource -n '__docsource_at apps list; and __docsource_lacks json "" "ah"' -l json -d 'print one JSON object a line'
complete -c docsource -n '__docsource_at apps list; and __docsource_lacks help "h" "ah"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_at apps show' -a '(__docsource_identifiers)'
complete -c docsource -n '__docsource_at apps show; and __docsource_lacks json "" "h"' -l json -d 'print one JSON object a line'
complete -c docsource -n '__docsource_at apps show; and __docsource_lacks help "h" "h"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_at apps add' -a '(__docsource_identifiers)'
complete -c docsource -n '__docsource_at apps add; and __docsource_lacks name "" "h" value' -l name -x -d 'the application\'s name for people'
complete -c docsource -n '__docsource_at apps add; and __docsource_lacks app-info-url "u" "h" value' -s u -l app-info-url -x -d 'where the application\'s icons are listed'
complete -c docsource -n '__docsource_at apps add; and __docsource_lacks insecure-url "" "h"' -l insecure-url -d 'accept a URL that is not https'
complete -c docsource -n '__docsource_at apps add; and __docsource_lacks help "h" "h"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_at apps remove' -a '(__docsource_identifiers)'
complete -c docsource -n '__docsource_at apps remove; and __docsource_lacks help "h" "h"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_at doctor' -F
complete -c docsource -n '__docsource_at doctor; and __docsource_lacks json "" "h"' -l json -d 'print one JSON object a line for each path'
complete -c docsource -n '__docsource_at doctor; and __docsource_lacks no-dereference "" "h"' -l no-dereference -d 'act on a symbolic link itself'
complete -c docsource -n '__docsource_at doctor; and __docsource_lacks help "h" "h"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_at plist; and __docsource_lacks help "h" "h"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_at plist show' -F
complete -c docsource -n '__docsource_at plist show; and __docsource_lacks json "" "h"' -l json -d 'a line of JSON for each list'
complete -c docsource -n '__docsource_at plist show; and __docsource_lacks xml "" "h"' -l xml -d 'an XML property list; one file'
complete -c docsource -n '__docsource_at plist show; and __docsource_lacks limit "" "h" value' -l limit -x -d 'write at most SIZE of each list, 256M unless given; none lifts it'
complete -c docsource -n '__docsource_at plist show; and __docsource_lacks trailing-nul "" "h"' -l trailing-nul -d 'accept one NUL behind the list, as Samba adds it'
complete -c docsource -n '__docsource_at plist show; and __docsource_lacks help "h" "h"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_at plist encode' -F
complete -c docsource -n '__docsource_at plist encode; and __docsource_lacks from "" "h" value' -l from -x -a 'json xml binary' -d 'the input\'s format, otherwise told by its first bytes'
complete -c docsource -n '__docsource_at plist encode; and __docsource_lacks canonical "" "h"' -l canonical -d 'sort keys by their UTF-8 bytes'
complete -c docsource -n '__docsource_at plist encode; and __docsource_lacks output "o" "h" value' -s o -l output -r -F -d 'write to FILE, or - for standard output'
complete -c docsource -n '__docsource_at plist encode; and __docsource_lacks help "h" "h"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_at plist check' -F
complete -c docsource -n '__docsource_at plist check; and __docsource_lacks canonical "" "qh"' -l canonical -d 'also that they are as \'plist encode --canonical\' writes them'
complete -c docsource -n '__docsource_at plist check; and __docsource_lacks quiet "q" "qh"' -s q -l quiet -d 'say nothing of files that are well-formed'
complete -c docsource -n '__docsource_at plist check; and __docsource_lacks trailing-nul "" "qh"' -l trailing-nul -d 'accept one NUL behind the list, as Samba adds it'
complete -c docsource -n '__docsource_at plist check; and __docsource_lacks help "h" "qh"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_at completions' -a 'bash zsh fish'
complete -c docsource -n '__docsource_at completions; and __docsource_lacks help "h" "h"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_shows help' -a tag -d 'write which application a file came from'
complete -c docsource -n '__docsource_shows help' -a show -d 'read which application a file came from'
complete -c docsource -n '__docsource_shows help' -a remove -d 'remove the mark of the application a file came from'
complete -c docsource -n '__docsource_shows help' -a copy -d 'give files the mark of another file'
complete -c docsource -n '__docsource_shows help' -a find -d 'list files by the application they came from'
complete -c docsource -n '__docsource_shows help' -a export -d 'write a manifest of the marks of a tree'
complete -c docsource -n '__docsource_shows help' -a import -d 'write the marks that a manifest lists'
complete -c docsource -n '__docsource_shows help' -a trace -d 'tell by every mark where a file came from'
complete -c docsource -n '__docsource_shows help' -a watch -d 'tag new documents with the application that wrote them'
complete -c docsource -n '__docsource_shows help' -a adopt -d 'make attributes native that other systems left in their forms'
complete -c docsource -n '__docsource_shows help' -a strip -d 'remove marks of origin before files are given away'
complete -c docsource -n '__docsource_shows help' -a emit -d 'write marks of origin as other systems look for them'
complete -c docsource -n '__docsource_shows help' -a icon -d 'find or fetch the icon of the application a file came from'
complete -c docsource -n '__docsource_shows help' -a apps -d 'list the applications known here, and keep your own list'
complete -c docsource -n '__docsource_shows help' -a doctor -d 'tell whether files can carry the attribute, and why not'
complete -c docsource -n '__docsource_shows help' -a plist -d 'show, encode and check binary property lists'
complete -c docsource -n '__docsource_shows help' -a completions -d 'print the completion script for a shell'
complete -c docsource -n '__docsource_shows help' -a help -d 'show how a verb is used'
complete -c docsource -n '__docsource_shows help icon' -a trust -d 'keep the list of trusted hosts'
complete -c docsource -n '__docsource_shows help icon trust' -a add -d 'trust hosts'
complete -c docsource -n '__docsource_shows help icon trust' -a list -d 'print the trusted hosts, a line each'
complete -c docsource -n '__docsource_shows help icon trust' -a remove -d 'trust hosts no longer'
complete -c docsource -n '__docsource_shows help apps' -a list -d 'print the known applications, sorted'
complete -c docsource -n '__docsource_shows help apps' -a show -d 'print all that is known of applications'
complete -c docsource -n '__docsource_shows help apps' -a add -d 'put an application on your own list'
complete -c docsource -n '__docsource_shows help apps' -a remove -d 'take applications off your own list'
complete -c docsource -n '__docsource_shows help plist' -a show -d 'print what is in binary property lists'
complete -c docsource -n '__docsource_shows help plist' -a encode -d 'make a binary property list from JSON or XML'
complete -c docsource -n '__docsource_shows help plist' -a check -d 'check that files are well-formed binary property lists'
complete -c docsource -n '__docsource_at help; and __docsource_lacks man "" "h"' -l man -d 'the manual page, as roff for \'man -l -\''
complete -c docsource -n '__docsource_at help; and __docsource_lacks list "" "h"' -l list -d 'the names of all verbs, a line each'
complete -c docsource -n '__docsource_at help; and __docsource_lacks help "h" "h"' -s h -l help -d 'show this help'
