# fish completion for docsource, written by 'docsource completions fish'.

# The words that name the verb.
function __docsource_verb
    set -l words (commandline -opc)
    set -e words[1]
    set -l verb
    for word in $words
        set -l longer (string join -- ' ' $verb $word)
        contains -- $longer 'tag' 'show' 'remove' 'copy' 'find' 'export' 'import' 'trace' 'watch' 'adopt' 'strip' 'emit' 'icon' 'icon trust' 'icon trust add' 'icon trust list' 'icon trust remove' 'apps' 'apps list' 'apps show' 'apps add' 'apps remove' 'doctor' 'rule' 'rule match' 'rule explain' 'rule lint' 'rule format' 'rule type' 'plist' 'plist show' 'plist encode' 'plist check' 'completions' 'help'; or break
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

# fish itself takes any part of an identifier, in either case.
function __docsource_identifiers
    set -l program (__docsource_program)
    $program apps list --json $argv 2>/dev/null | string replace -rf -- \
        '^.*"identifier":"([^"\\\\]+)"(?:.*"name":"([^"\\\\]+)")?.*$' '$1\t$2'
end

# The marks of the first file on the command line.
function __docsource_marks
    set -l program (__docsource_program)
    set -l words (commandline -op)
    for word in $words[2..-1]
        string match -q -- '-*' $word; and continue
        test -e "$word"; or continue
        $program trace --json --no-recent -- $word 2>/dev/null |
            string match -rag -- '"carrier":"([^"\\\\]+)"'
        return
    end
end

function __docsource_hosts
    set -l program (__docsource_program)
    $program icon trust list 2>/dev/null
end

complete -c docsource -f
complete -c docsource -n '__docsource_behind' -a tag -d 'record which application a file came from'
complete -c docsource -n '__docsource_behind' -a show -d 'show which application a file came from'
complete -c docsource -n '__docsource_behind' -a remove -d 'remove the record of which application a file came from'
complete -c docsource -n '__docsource_behind' -a copy -d 'copy the mark of a file to other files'
complete -c docsource -n '__docsource_behind' -a find -d 'find files by the application they came from'
complete -c docsource -n '__docsource_behind' -a export -d 'write a manifest of the marks in a directory tree'
complete -c docsource -n '__docsource_behind' -a import -d 'write the marks listed in a manifest'
complete -c docsource -n '__docsource_behind' -a trace -d 'show all marks that say where a file came from'
complete -c docsource -n '__docsource_behind' -a watch -d 'tag new documents with the application that wrote them'
complete -c docsource -n '__docsource_behind' -a adopt -d 'convert marks of macOS, Windows and Samba to Linux attributes'
complete -c docsource -n '__docsource_behind' -a strip -d 'remove marks of origin before sharing files'
complete -c docsource -n '__docsource_behind' -a emit -d 'write marks of origin for macOS, Windows and desktops'
complete -c docsource -n '__docsource_behind' -a icon -d 'find or fetch the icon of the application a file came from'
complete -c docsource -n '__docsource_behind' -a apps -d 'list known applications and manage your own list'
complete -c docsource -n '__docsource_behind' -a doctor -d 'check whether files can store the attribute, and if not, why'
complete -c docsource -n '__docsource_behind' -a rule -d 'test and check activation rules of app extensions'
complete -c docsource -n '__docsource_behind' -a plist -d 'show, encode and check binary property lists'
complete -c docsource -n '__docsource_behind' -a completions -d 'print the completion script for a shell'
complete -c docsource -n '__docsource_behind' -a help -d 'show the help of a verb or topic'
complete -c docsource -n '__docsource_behind icon' -a trust -d 'manage the list of trusted hosts'
complete -c docsource -n '__docsource_behind icon trust' -a add -d 'trust hosts'
complete -c docsource -n '__docsource_behind icon trust' -a list -d 'print the trusted hosts, one per line'
complete -c docsource -n '__docsource_behind icon trust' -a remove -d 'stop trusting hosts'
complete -c docsource -n '__docsource_behind apps' -a list -d 'print the known applications, sorted'
complete -c docsource -n '__docsource_behind apps' -a show -d 'print everything known about applications'
complete -c docsource -n '__docsource_behind apps' -a add -d 'add an application to your own list'
complete -c docsource -n '__docsource_behind apps' -a remove -d 'remove applications from your own list'
complete -c docsource -n '__docsource_behind rule' -a match -d 'tell whether files match an activation rule'
complete -c docsource -n '__docsource_behind rule' -a explain -d 'tell which part of an activation rule decides'
complete -c docsource -n '__docsource_behind rule' -a lint -d 'find flaws of activation rules'
complete -c docsource -n '__docsource_behind rule' -a format -d 'print the predicate of an activation rule in one form'
complete -c docsource -n '__docsource_behind rule' -a type -d 'tell the uniform types of files'
complete -c docsource -n '__docsource_behind plist' -a show -d 'print the contents of binary property lists'
complete -c docsource -n '__docsource_behind plist' -a encode -d 'convert JSON or XML to a binary property list'
complete -c docsource -n '__docsource_behind plist' -a check -d 'check that files are well-formed binary property lists'
complete -c docsource -n '__docsource_behind' -s h -l help -d 'show this help; \'docsource help VERB\' shows the help of a verb'
complete -c docsource -n '__docsource_behind' -s V -l version -d 'show the version'
complete -c docsource -n '__docsource_at tag' -F
complete -c docsource -n '__docsource_at tag; and __docsource_lacks app "" "rnqvIHh" value' -l app -x -a '(__docsource_identifiers)' -d 'use the identifier, name and URL of an application'
complete -c docsource -n '__docsource_at tag; and __docsource_lacks identifier "i" "rnqvIHh" value' -s i -l identifier -x -a '(__docsource_identifiers)' -d 'set the application\'s bundle identifier'
complete -c docsource -n '__docsource_at tag; and __docsource_lacks app-name "" "rnqvIHh" value' -l app-name -x -d 'set the application\'s display name'
complete -c docsource -n '__docsource_at tag; and __docsource_lacks document "p" "rnqvIHh" value' -s p -l document -x -d 'set the document\'s path inside the application'
complete -c docsource -n '__docsource_at tag; and __docsource_lacks root "" "rnqvIHh" value' -l root -x -a '(__fish_complete_directories)' -d 'set --document to each file\'s path below DIR'
complete -c docsource -n '__docsource_at tag; and __docsource_lacks app-info-url "u" "rnqvIHh" value' -s u -l app-info-url -x -d 'set the URL of the application\'s icon list'
complete -c docsource -n '__docsource_at tag; and __docsource_lacks replace "" "rnqvIHh"' -l replace -d 'replace the whole value instead of updating it'
complete -c docsource -n '__docsource_at tag; and __docsource_lacks keep-other-fields "" "rnqvIHh"' -l keep-other-fields -d 'keep name, path and URL even if --identifier differs'
complete -c docsource -n '__docsource_at tag; and __docsource_lacks insecure-url "" "rnqvIHh"' -l insecure-url -d 'accept URLs that are not https'
complete -c docsource -n '__docsource_at tag; and __docsource_lacks recursive "r" "rnqvIHh"' -s r -l recursive -d 'process directories recursively; follow no links'
complete -c docsource -n '__docsource_at tag; and __docsource_lacks no-dereference "" "rnqvIHh"' -l no-dereference -d 'act on symbolic links, not on their targets'
complete -c docsource -n '__docsource_at tag; and __docsource_lacks dry-run "n" "rnqvIHh"' -s n -l dry-run -d 'show what would be done without writing anything'
complete -c docsource -n '__docsource_at tag; and __docsource_lacks quiet "q" "rnqvIHh"' -s q -l quiet -d 'do not report files that succeed'
complete -c docsource -n '__docsource_at tag; and __docsource_lacks verbose "v" "rnqvIHh"' -s v -l verbose -d 'also list files that stay unchanged'
complete -c docsource -n '__docsource_at tag; and __docsource_lacks json "" "rnqvIHh"' -l json -d 'print one JSON object per line; exact'
complete -c docsource -n '__docsource_at tag; and __docsource_lacks files0-from "" "rnqvIHh" value' -l files0-from -r -F -d 'read NUL-terminated names from LIST; - is stdin'
complete -c docsource -n '__docsource_at tag; and __docsource_lacks threads "j" "rnqvIHh" value' -s j -l threads -x -d 'process N files at a time'
complete -c docsource -n '__docsource_at tag; and __docsource_lacks untagged "" "rnqvIHh"' -l untagged -d 'select files without a document source'
complete -c docsource -n '__docsource_at tag' -l if-identifier -x -a '(__docsource_identifiers)' -d 'select files whose current identifier matches'
complete -c docsource -n '__docsource_at tag' -l if-app-name -x -d 'select files whose current application name matches'
complete -c docsource -n '__docsource_at tag' -l if-document -x -d 'select files whose current path in the application matches'
complete -c docsource -n '__docsource_at tag; and __docsource_lacks damaged "" "rnqvIHh"' -l damaged -d 'select files whose attribute cannot be read'
complete -c docsource -n '__docsource_at tag' -l file-name -x -d 'select files whose name matches GLOB'
complete -c docsource -n '__docsource_at tag; and __docsource_lacks ignore-case "I" "rnqvIHh"' -s I -l ignore-case -d 'ignore case'
complete -c docsource -n '__docsource_at tag; and __docsource_lacks type "t" "rnqvIHh" value' -s t -l type -x -a 'f d' -d 'select only files or only directories'
complete -c docsource -n '__docsource_at tag; and __docsource_lacks max-depth "d" "rnqvIHh" value' -s d -l max-depth -x -d 'descend at most N levels; 0 is none'
complete -c docsource -n '__docsource_at tag; and __docsource_lacks one-file-system "" "rnqvIHh"' -l one-file-system -d 'stay on one file system'
complete -c docsource -n '__docsource_at tag; and __docsource_lacks hidden "H" "rnqvIHh"' -s H -l hidden -d 'include version control directories such as .git'
complete -c docsource -n '__docsource_at tag; and __docsource_lacks no-hidden "" "rnqvIHh"' -l no-hidden -d 'leave out hidden files and directories'
complete -c docsource -n '__docsource_at tag' -s E -l exclude -x -d 'leave out files and directories that match GLOB'
complete -c docsource -n '__docsource_at tag; and __docsource_lacks gitignore "" "rnqvIHh"' -l gitignore -d 'leave out what Git ignores'
complete -c docsource -n '__docsource_at tag; and __docsource_lacks help "h" "rnqvIHh"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_at show' -F
complete -c docsource -n '__docsource_at show; and __docsource_lacks json "" "0rqHh"' -l json -d 'print one JSON object per line; exact, for programs'
complete -c docsource -n '__docsource_at show; and __docsource_lacks field "f" "0rqHh" value' -s f -l field -x -a 'identifier name path appInfoURL' -d 'print one field only'
complete -c docsource -n '__docsource_at show; and __docsource_lacks xml "" "0rqHh"' -l xml -d 'print the whole value as an XML property list'
complete -c docsource -n '__docsource_at show; and __docsource_lacks raw "" "0rqHh"' -l raw -d 'print the raw bytes of the attribute'
complete -c docsource -n '__docsource_at show; and __docsource_lacks null "0" "0rqHh"' -s 0 -l null -d 'end each line with NUL and escape nothing'
complete -c docsource -n '__docsource_at show; and __docsource_lacks recursive "r" "0rqHh"' -s r -l recursive -d 'process directories recursively; follow no links'
complete -c docsource -n '__docsource_at show; and __docsource_lacks no-dereference "" "0rqHh"' -l no-dereference -d 'act on symbolic links, not on their targets'
complete -c docsource -n '__docsource_at show; and __docsource_lacks quiet "q" "0rqHh"' -s q -l quiet -d 'print nothing; set only the exit status'
complete -c docsource -n '__docsource_at show; and __docsource_lacks color "" "0rqHh" value' -l color -x -a 'auto always never' -d 'when to use colours'
complete -c docsource -n '__docsource_at show; and __docsource_lacks threads "j" "0rqHh" value' -s j -l threads -x -d 'process N files at a time'
complete -c docsource -n '__docsource_at show; and __docsource_lacks files0-from "" "0rqHh" value' -l files0-from -r -F -d 'read NUL-terminated names from LIST; - is stdin'
complete -c docsource -n '__docsource_at show; and __docsource_lacks hidden "H" "0rqHh"' -s H -l hidden -d 'include version control directories such as .git'
complete -c docsource -n '__docsource_at show; and __docsource_lacks no-hidden "" "0rqHh"' -l no-hidden -d 'leave out hidden files and directories'
complete -c docsource -n '__docsource_at show' -s E -l exclude -x -d 'leave out files and directories that match GLOB'
complete -c docsource -n '__docsource_at show; and __docsource_lacks help "h" "0rqHh"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_at remove' -F
complete -c docsource -n '__docsource_at remove; and __docsource_lacks recursive "r" "rnqIHh"' -s r -l recursive -d 'process directories recursively; follow no links'
complete -c docsource -n '__docsource_at remove; and __docsource_lacks no-dereference "" "rnqIHh"' -l no-dereference -d 'act on symbolic links, not on their targets'
complete -c docsource -n '__docsource_at remove; and __docsource_lacks dry-run "n" "rnqIHh"' -s n -l dry-run -d 'show what would be done without removing anything'
complete -c docsource -n '__docsource_at remove; and __docsource_lacks quiet "q" "rnqIHh"' -s q -l quiet -d 'do not report files that succeed'
complete -c docsource -n '__docsource_at remove; and __docsource_lacks json "" "rnqIHh"' -l json -d 'print one JSON object per line; exact'
complete -c docsource -n '__docsource_at remove; and __docsource_lacks files0-from "" "rnqIHh" value' -l files0-from -r -F -d 'read NUL-terminated names from LIST; - is stdin'
complete -c docsource -n '__docsource_at remove; and __docsource_lacks threads "j" "rnqIHh" value' -s j -l threads -x -d 'process N files at a time'
complete -c docsource -n '__docsource_at remove' -s i -l identifier -x -a '(__docsource_identifiers)' -d 'select files whose application identifier matches'
complete -c docsource -n '__docsource_at remove' -l app-name -x -d 'select files whose application name matches'
complete -c docsource -n '__docsource_at remove' -s p -l document -x -d 'select files whose path in the application matches'
complete -c docsource -n '__docsource_at remove; and __docsource_lacks damaged "" "rnqIHh"' -l damaged -d 'select files whose attribute cannot be read'
complete -c docsource -n '__docsource_at remove' -l file-name -x -d 'select files whose name matches GLOB'
complete -c docsource -n '__docsource_at remove; and __docsource_lacks ignore-case "I" "rnqIHh"' -s I -l ignore-case -d 'ignore case'
complete -c docsource -n '__docsource_at remove; and __docsource_lacks type "t" "rnqIHh" value' -s t -l type -x -a 'f d' -d 'select only files or only directories'
complete -c docsource -n '__docsource_at remove; and __docsource_lacks max-depth "d" "rnqIHh" value' -s d -l max-depth -x -d 'descend at most N levels; 0 is none'
complete -c docsource -n '__docsource_at remove; and __docsource_lacks one-file-system "" "rnqIHh"' -l one-file-system -d 'stay on one file system'
complete -c docsource -n '__docsource_at remove; and __docsource_lacks hidden "H" "rnqIHh"' -s H -l hidden -d 'include version control directories such as .git'
complete -c docsource -n '__docsource_at remove; and __docsource_lacks no-hidden "" "rnqIHh"' -l no-hidden -d 'leave out hidden files and directories'
complete -c docsource -n '__docsource_at remove' -s E -l exclude -x -d 'leave out files and directories that match GLOB'
complete -c docsource -n '__docsource_at remove; and __docsource_lacks help "h" "rnqIHh"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_at copy' -F
complete -c docsource -n '__docsource_at copy; and __docsource_lacks all-attributes "a" "anqh"' -s a -l all-attributes -d 'copy every attribute that /etc/xattr.conf allows'
complete -c docsource -n '__docsource_at copy; and __docsource_lacks no-dereference "" "anqh"' -l no-dereference -d 'act on symbolic links, not on their targets'
complete -c docsource -n '__docsource_at copy; and __docsource_lacks dry-run "n" "anqh"' -s n -l dry-run -d 'show what would be done without writing anything'
complete -c docsource -n '__docsource_at copy; and __docsource_lacks quiet "q" "anqh"' -s q -l quiet -d 'do not report files that succeed'
complete -c docsource -n '__docsource_at copy; and __docsource_lacks json "" "anqh"' -l json -d 'print one JSON object per line; exact'
complete -c docsource -n '__docsource_at copy; and __docsource_lacks files0-from "" "anqh" value' -l files0-from -r -F -d 'read NUL-terminated names from LIST; - is stdin'
complete -c docsource -n '__docsource_at copy; and __docsource_lacks help "h" "anqh"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_at find' -a '(__fish_complete_directories)'
complete -c docsource -n '__docsource_at find; and __docsource_runs --exec -x --exec-batch -X' -F
complete -c docsource -n '__docsource_at find' -s i -l identifier -x -a '(__docsource_identifiers)' -d 'select files whose application identifier matches'
complete -c docsource -n '__docsource_at find' -l app-name -x -d 'select files whose application name matches'
complete -c docsource -n '__docsource_at find' -s p -l document -x -d 'select files whose path in the application matches'
complete -c docsource -n '__docsource_at find; and __docsource_lacks untagged "" "0csIHh"' -l untagged -d 'select files without a document source'
complete -c docsource -n '__docsource_at find; and __docsource_lacks null "0" "0csIHh"' -s 0 -l null -d 'end each line with NUL and escape nothing'
complete -c docsource -n '__docsource_at find; and __docsource_lacks json "" "0csIHh"' -l json -d 'print one JSON object per line; exact'
complete -c docsource -n '__docsource_at find; and __docsource_lacks format "" "0csIHh" value' -l format -x -d 'print TEXT for each file: {}, {app-name}, …'
complete -c docsource -n '__docsource_at find; and __docsource_lacks count "c" "0csIHh"' -s c -l count -d 'print only the number of files'
complete -c docsource -n '__docsource_at find; and __docsource_lacks summary "s" "0csIHh"' -s s -l summary -d 'print how many files came from each application'
complete -c docsource -n '__docsource_at find; and __docsource_lacks sort "" "0csIHh"' -l sort -d 'sort by path; holds all results in memory'
complete -c docsource -n '__docsource_at find; and __docsource_lacks exec "x" "0csIHh" value' -s x -l exec -x -a '(__fish_complete_command)' -d 'run CMD for each file, in parallel; {} is the path'
complete -c docsource -n '__docsource_at find; and __docsource_lacks exec-batch "X" "0csIHh" value' -s X -l exec-batch -x -a '(__fish_complete_command)' -d 'run CMD with as many files as fit; ends at \';\''
complete -c docsource -n '__docsource_at find; and __docsource_lacks threads "j" "0csIHh" value' -s j -l threads -x -d 'process N files at a time'
complete -c docsource -n '__docsource_at find; and __docsource_lacks color "" "0csIHh" value' -l color -x -a 'auto always never' -d 'when to use colours'
complete -c docsource -n '__docsource_at find; and __docsource_lacks files0-from "" "0csIHh" value' -l files0-from -r -F -d 'read NUL-terminated names from LIST; - is stdin'
complete -c docsource -n '__docsource_at find; and __docsource_lacks rule "" "0csIHh" value' -l rule -r -F -d 'select files that an app with the activation rule RULE is offered'
complete -c docsource -n '__docsource_at find; and __docsource_lacks damaged "" "0csIHh"' -l damaged -d 'select files whose attribute cannot be read'
complete -c docsource -n '__docsource_at find' -l file-name -x -d 'select files whose name matches GLOB'
complete -c docsource -n '__docsource_at find; and __docsource_lacks ignore-case "I" "0csIHh"' -s I -l ignore-case -d 'ignore case'
complete -c docsource -n '__docsource_at find; and __docsource_lacks type "t" "0csIHh" value' -s t -l type -x -a 'f d' -d 'select only files or only directories'
complete -c docsource -n '__docsource_at find; and __docsource_lacks max-depth "d" "0csIHh" value' -s d -l max-depth -x -d 'descend at most N levels; 0 is none'
complete -c docsource -n '__docsource_at find; and __docsource_lacks one-file-system "" "0csIHh"' -l one-file-system -d 'stay on one file system'
complete -c docsource -n '__docsource_at find; and __docsource_lacks samba "" "0csIHh"' -l samba -d 'include files that have only Samba\'s form; slower'
complete -c docsource -n '__docsource_at find; and __docsource_lacks hidden "H" "0csIHh"' -s H -l hidden -d 'include version control directories such as .git'
complete -c docsource -n '__docsource_at find; and __docsource_lacks no-hidden "" "0csIHh"' -l no-hidden -d 'leave out hidden files and directories'
complete -c docsource -n '__docsource_at find' -s E -l exclude -x -d 'leave out files and directories that match GLOB'
complete -c docsource -n '__docsource_at find; and __docsource_lacks gitignore "" "0csIHh"' -l gitignore -d 'leave out what Git ignores'
complete -c docsource -n '__docsource_at find; and __docsource_lacks help "h" "0csIHh"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_at export' -a '(__fish_complete_directories)'
complete -c docsource -n '__docsource_at export' -F
complete -c docsource -n '__docsource_at export; and __docsource_lacks output "o" "xHh" value' -s o -l output -r -F -d 'write to FILE, or - for standard output'
complete -c docsource -n '__docsource_at export; and __docsource_lacks format "" "xHh" value' -l format -x -a 'json getfattr' -d 'write one JSON object per line, or input for setfattr --restore'
complete -c docsource -n '__docsource_at export; and __docsource_lacks root "" "xHh" value' -l root -x -a '(__fish_complete_directories)' -d 'write paths relative to DIR'
complete -c docsource -n '__docsource_at export; and __docsource_lacks one-file-system "x" "xHh"' -s x -l one-file-system -d 'stay on each operand\'s file system'
complete -c docsource -n '__docsource_at export; and __docsource_lacks files0-from "" "xHh" value' -l files0-from -r -F -d 'read NUL-terminated names from LIST; - is stdin'
complete -c docsource -n '__docsource_at export; and __docsource_lacks hidden "H" "xHh"' -s H -l hidden -d 'include version control directories such as .git'
complete -c docsource -n '__docsource_at export; and __docsource_lacks no-hidden "" "xHh"' -l no-hidden -d 'leave out hidden files and directories'
complete -c docsource -n '__docsource_at export' -s E -l exclude -x -d 'leave out files and directories that match GLOB'
complete -c docsource -n '__docsource_at export; and __docsource_lacks help "h" "xHh"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_at import' -F
complete -c docsource -n '__docsource_at import; and __docsource_lacks root "" "nqvh" value' -l root -x -a '(__fish_complete_directories)' -d 'resolve paths from DIR (default: the working directory)'
complete -c docsource -n '__docsource_at import; and __docsource_lacks keep-existing "" "nqvh"' -l keep-existing -d 'do not change files that have a document source'
complete -c docsource -n '__docsource_at import; and __docsource_lacks allow-outside "" "nqvh"' -l allow-outside -d 'accept absolute paths and \'..\', which lead out of DIR'
complete -c docsource -n '__docsource_at import; and __docsource_lacks insecure-url "" "nqvh"' -l insecure-url -d 'accept URLs in a "source" that are not https'
complete -c docsource -n '__docsource_at import; and __docsource_lacks dry-run "n" "nqvh"' -s n -l dry-run -d 'show what would be done without writing anything'
complete -c docsource -n '__docsource_at import; and __docsource_lacks quiet "q" "nqvh"' -s q -l quiet -d 'do not report files that succeed'
complete -c docsource -n '__docsource_at import; and __docsource_lacks verbose "v" "nqvh"' -s v -l verbose -d 'also list files that stay unchanged'
complete -c docsource -n '__docsource_at import; and __docsource_lacks json "" "nqvh"' -l json -d 'print one JSON object per line; exact'
complete -c docsource -n '__docsource_at import; and __docsource_lacks help "h" "nqvh"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_at trace' -F
complete -c docsource -n '__docsource_at trace; and __docsource_lacks json "" "rHh"' -l json -d 'print one JSON object per line; exact, for programs'
complete -c docsource -n '__docsource_at trace; and __docsource_lacks raw "" "rHh" value' -l raw -x -a '(__docsource_marks)' -d 'print the raw bytes of the mark in CARRIER'
complete -c docsource -n '__docsource_at trace; and __docsource_lacks no-recent "" "rHh"' -l no-recent -d 'ignore the desktop\'s list of recently used files'
complete -c docsource -n '__docsource_at trace; and __docsource_lacks recursive "r" "rHh"' -s r -l recursive -d 'process directories recursively; follow no links'
complete -c docsource -n '__docsource_at trace; and __docsource_lacks no-dereference "" "rHh"' -l no-dereference -d 'act on symbolic links, not on their targets'
complete -c docsource -n '__docsource_at trace; and __docsource_lacks threads "j" "rHh" value' -s j -l threads -x -d 'process N files at a time'
complete -c docsource -n '__docsource_at trace; and __docsource_lacks color "" "rHh" value' -l color -x -a 'auto always never' -d 'when to use colours'
complete -c docsource -n '__docsource_at trace; and __docsource_lacks files0-from "" "rHh" value' -l files0-from -r -F -d 'read NUL-terminated names from LIST; - is stdin'
complete -c docsource -n '__docsource_at trace; and __docsource_lacks hidden "H" "rHh"' -s H -l hidden -d 'include version control directories such as .git'
complete -c docsource -n '__docsource_at trace; and __docsource_lacks no-hidden "" "rHh"' -l no-hidden -d 'leave out hidden files and directories'
complete -c docsource -n '__docsource_at trace' -s E -l exclude -x -d 'leave out files and directories that match GLOB'
complete -c docsource -n '__docsource_at trace; and __docsource_lacks help "h" "rHh"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_at watch' -a '(__fish_complete_directories)'
complete -c docsource -n '__docsource_at watch; and __docsource_lacks enable "" "nvqh"' -l enable -d 'turn on watching for your account, with the given settings'
complete -c docsource -n '__docsource_at watch; and __docsource_lacks disable "" "nvqh"' -l disable -d 'turn off watching for your account'
complete -c docsource -n '__docsource_at watch; and __docsource_lacks status "" "nvqh"' -l status -d 'show whether watching is turned on for your account and whether the service is running'
complete -c docsource -n '__docsource_at watch' -l include -x -d 'tag only files whose name, or path for a GLOB with /, matches'
complete -c docsource -n '__docsource_at watch' -l exclude -x -d 'do not tag files whose name or path matches'
complete -c docsource -n '__docsource_at watch; and __docsource_lacks policy "" "nvqh" value' -l policy -x -a 'keep last' -d 'choose what happens to an existing source'
complete -c docsource -n '__docsource_at watch; and __docsource_lacks mount "" "nvqh"' -l mount -d 'watch single mounts instead of whole file systems'
complete -c docsource -n '__docsource_at watch; and __docsource_lacks once "" "nvqh" value' -l once -x -d 'stop after SECONDS'
complete -c docsource -n '__docsource_at watch; and __docsource_lacks dry-run "n" "nvqh"' -s n -l dry-run -d 'show what would be tagged without writing anything'
complete -c docsource -n '__docsource_at watch; and __docsource_lacks json "" "nvqh"' -l json -d 'print one JSON object per line'
complete -c docsource -n '__docsource_at watch; and __docsource_lacks verbose "v" "nvqh"' -s v -l verbose -d 'also report files that are not tagged'
complete -c docsource -n '__docsource_at watch; and __docsource_lacks quiet "q" "nvqh"' -s q -l quiet -d 'do not report individual files'
complete -c docsource -n '__docsource_at watch; and __docsource_lacks help "h" "nvqh"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_at adopt' -F
complete -c docsource -n '__docsource_at adopt; and __docsource_lacks archive "" "rnqIHh" value' -l archive -r -F -d 'apply attributes in a zip or tar to its extracted DIR'
complete -c docsource -n '__docsource_at adopt; and __docsource_lacks limit "" "rnqIHh" value' -l limit -x -d 'with --archive, unpack at most SIZE (default: 256M; none: no limit)'
complete -c docsource -n '__docsource_at adopt; and __docsource_lacks keep "" "rnqIHh" value' -l keep -x -a 'mostrecent dotbar native' -d 'which value to keep where file and carrier differ'
complete -c docsource -n '__docsource_at adopt; and __docsource_lacks leave "" "rnqIHh"' -l leave -d 'keep the other forms after converting them'
complete -c docsource -n '__docsource_at adopt; and __docsource_lacks infer "" "rnqIHh"' -l infer -d 'infer a missing document source from other marks'
complete -c docsource -n '__docsource_at adopt; and __docsource_lacks recursive "r" "rnqIHh"' -s r -l recursive -d 'process directories recursively; follow no links'
complete -c docsource -n '__docsource_at adopt; and __docsource_lacks no-dereference "" "rnqIHh"' -l no-dereference -d 'act on symbolic links, not on their targets'
complete -c docsource -n '__docsource_at adopt; and __docsource_lacks dry-run "n" "rnqIHh"' -s n -l dry-run -d 'show what would be done without changing anything'
complete -c docsource -n '__docsource_at adopt; and __docsource_lacks files0-from "" "rnqIHh" value' -l files0-from -r -F -d 'read NUL-terminated names from LIST; - is stdin'
complete -c docsource -n '__docsource_at adopt; and __docsource_lacks quiet "q" "rnqIHh"' -s q -l quiet -d 'do not report files that succeed'
complete -c docsource -n '__docsource_at adopt; and __docsource_lacks json "" "rnqIHh"' -l json -d 'print one JSON object per line; exact'
complete -c docsource -n '__docsource_at adopt; and __docsource_lacks threads "j" "rnqIHh" value' -s j -l threads -x -d 'process N files at a time'
complete -c docsource -n '__docsource_at adopt' -s i -l identifier -x -a '(__docsource_identifiers)' -d 'select files whose application identifier matches'
complete -c docsource -n '__docsource_at adopt' -l app-name -x -d 'select files whose application name matches'
complete -c docsource -n '__docsource_at adopt' -s p -l document -x -d 'select files whose path in the application matches'
complete -c docsource -n '__docsource_at adopt; and __docsource_lacks damaged "" "rnqIHh"' -l damaged -d 'select files whose attribute cannot be read'
complete -c docsource -n '__docsource_at adopt' -l file-name -x -d 'select files whose name matches GLOB'
complete -c docsource -n '__docsource_at adopt; and __docsource_lacks ignore-case "I" "rnqIHh"' -s I -l ignore-case -d 'ignore case'
complete -c docsource -n '__docsource_at adopt; and __docsource_lacks type "t" "rnqIHh" value' -s t -l type -x -a 'f d' -d 'select only files or only directories'
complete -c docsource -n '__docsource_at adopt; and __docsource_lacks max-depth "d" "rnqIHh" value' -s d -l max-depth -x -d 'descend at most N levels; 0 is none'
complete -c docsource -n '__docsource_at adopt; and __docsource_lacks one-file-system "" "rnqIHh"' -l one-file-system -d 'stay on one file system'
complete -c docsource -n '__docsource_at adopt; and __docsource_lacks hidden "H" "rnqIHh"' -s H -l hidden -d 'include version control directories such as .git'
complete -c docsource -n '__docsource_at adopt; and __docsource_lacks no-hidden "" "rnqIHh"' -l no-hidden -d 'leave out hidden files and directories'
complete -c docsource -n '__docsource_at adopt' -s E -l exclude -x -d 'leave out files and directories that match GLOB'
complete -c docsource -n '__docsource_at adopt; and __docsource_lacks help "h" "rnqIHh"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_at strip' -F
complete -c docsource -n '__docsource_at strip' -l keep -x -a 'source creator download zone notes type use' -d 'keep marks of KIND'
complete -c docsource -n '__docsource_at strip; and __docsource_lacks recursive "r" "rnqIHh"' -s r -l recursive -d 'process directories recursively; follow no links'
complete -c docsource -n '__docsource_at strip; and __docsource_lacks no-dereference "" "rnqIHh"' -l no-dereference -d 'act on symbolic links, not on their targets'
complete -c docsource -n '__docsource_at strip; and __docsource_lacks dry-run "n" "rnqIHh"' -s n -l dry-run -d 'show what would be removed without removing anything'
complete -c docsource -n '__docsource_at strip; and __docsource_lacks quiet "q" "rnqIHh"' -s q -l quiet -d 'do not report files that succeed'
complete -c docsource -n '__docsource_at strip; and __docsource_lacks json "" "rnqIHh"' -l json -d 'print one JSON object per line; exact'
complete -c docsource -n '__docsource_at strip; and __docsource_lacks files0-from "" "rnqIHh" value' -l files0-from -r -F -d 'read NUL-terminated names from LIST; - is stdin'
complete -c docsource -n '__docsource_at strip; and __docsource_lacks threads "j" "rnqIHh" value' -s j -l threads -x -d 'process N files at a time'
complete -c docsource -n '__docsource_at strip' -s i -l identifier -x -a '(__docsource_identifiers)' -d 'select files whose application identifier matches'
complete -c docsource -n '__docsource_at strip' -l app-name -x -d 'select files whose application name matches'
complete -c docsource -n '__docsource_at strip' -s p -l document -x -d 'select files whose path in the application matches'
complete -c docsource -n '__docsource_at strip; and __docsource_lacks damaged "" "rnqIHh"' -l damaged -d 'select files whose attribute cannot be read'
complete -c docsource -n '__docsource_at strip' -l file-name -x -d 'select files whose name matches GLOB'
complete -c docsource -n '__docsource_at strip; and __docsource_lacks ignore-case "I" "rnqIHh"' -s I -l ignore-case -d 'ignore case'
complete -c docsource -n '__docsource_at strip; and __docsource_lacks type "t" "rnqIHh" value' -s t -l type -x -a 'f d' -d 'select only files or only directories'
complete -c docsource -n '__docsource_at strip; and __docsource_lacks max-depth "d" "rnqIHh" value' -s d -l max-depth -x -d 'descend at most N levels; 0 is none'
complete -c docsource -n '__docsource_at strip; and __docsource_lacks one-file-system "" "rnqIHh"' -l one-file-system -d 'stay on one file system'
complete -c docsource -n '__docsource_at strip; and __docsource_lacks hidden "H" "rnqIHh"' -s H -l hidden -d 'include version control directories such as .git'
complete -c docsource -n '__docsource_at strip; and __docsource_lacks no-hidden "" "rnqIHh"' -l no-hidden -d 'leave out hidden files and directories'
complete -c docsource -n '__docsource_at strip' -s E -l exclude -x -d 'leave out files and directories that match GLOB'
complete -c docsource -n '__docsource_at strip; and __docsource_lacks help "h" "rnqIHh"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_at emit' -F
complete -c docsource -n '__docsource_at emit; and __docsource_lacks apple-double "" "fnqh"' -l apple-double -d 'write the file ._FILE that Macs read'
complete -c docsource -n '__docsource_at emit; and __docsource_lacks xdg "" "fnqh"' -l xdg -d 'write user.xdg.origin.url, user.xdg.referrer.url, user.creator'
complete -c docsource -n '__docsource_at emit; and __docsource_lacks zone "" "fnqh"' -l zone -d 'write Windows\' Zone.Identifier as an attribute'
complete -c docsource -n '__docsource_at emit; and __docsource_lacks force "f" "fnqh"' -s f -l force -d 'overwrite existing marks that differ'
complete -c docsource -n '__docsource_at emit; and __docsource_lacks no-dereference "" "fnqh"' -l no-dereference -d 'act on symbolic links, not on their targets'
complete -c docsource -n '__docsource_at emit; and __docsource_lacks dry-run "n" "fnqh"' -s n -l dry-run -d 'show what would be written without writing anything'
complete -c docsource -n '__docsource_at emit; and __docsource_lacks quiet "q" "fnqh"' -s q -l quiet -d 'do not report files that succeed'
complete -c docsource -n '__docsource_at emit; and __docsource_lacks json "" "fnqh"' -l json -d 'print one JSON object per line; exact'
complete -c docsource -n '__docsource_at emit; and __docsource_lacks files0-from "" "fnqh" value' -l files0-from -r -F -d 'read NUL-terminated names from LIST; - is stdin'
complete -c docsource -n '__docsource_at emit; and __docsource_lacks help "h" "fnqh"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_at icon' -F
complete -c docsource -n '__docsource_at icon' -a '(__docsource_identifiers)'
complete -c docsource -n '__docsource_at icon; and __docsource_lacks size "" "0h" value' -l size -x -d 'set the size (default: 64)'
complete -c docsource -n '__docsource_at icon; and __docsource_lacks scale "" "0h" value' -l scale -x -d 'set the pixels per point (default: 1)'
complete -c docsource -n '__docsource_at icon; and __docsource_lacks shape "" "0h" value' -l shape -x -a 'continuous superellipse circle-corner none' -d 'outline'
complete -c docsource -n '__docsource_at icon; and __docsource_lacks no-stroke "" "0h"' -l no-stroke -d 'draw no hairline along the outline'
complete -c docsource -n '__docsource_at icon; and __docsource_lacks output "o" "0h" value' -s o -l output -r -F -d 'write the PNG to FILE, or - for standard output'
complete -c docsource -n '__docsource_at icon; and __docsource_lacks inline "" "0h"' -l inline -d 'show the icon in the terminal'
complete -c docsource -n '__docsource_at icon; and __docsource_lacks install "" "0h"' -l install -d 'put the icon into your icon theme, for file managers'
complete -c docsource -n '__docsource_at icon; and __docsource_lacks offline "" "0h"' -l offline -d 'do not access the network'
complete -c docsource -n '__docsource_at icon; and __docsource_lacks trusted "" "0h"' -l trusted -d 'fetch from trusted hosts only'
complete -c docsource -n '__docsource_at icon; and __docsource_lacks refresh "" "0h"' -l refresh -d 'ask the server even if the cache is fresh'
complete -c docsource -n '__docsource_at icon; and __docsource_lacks explain "" "0h"' -l explain -d 'explain the choice of the icon'
complete -c docsource -n '__docsource_at icon; and __docsource_lacks json "" "0h"' -l json -d 'print one JSON object per line; exact'
complete -c docsource -n '__docsource_at icon; and __docsource_lacks null "0" "0h"' -s 0 -l null -d 'end each line with NUL and escape nothing'
complete -c docsource -n '__docsource_at icon; and __docsource_lacks files0-from "" "0h" value' -l files0-from -r -F -d 'read NUL-terminated names from LIST; - is stdin'
complete -c docsource -n '__docsource_at icon; and __docsource_lacks cache-stats "" "0h"' -l cache-stats -d 'show cache statistics'
complete -c docsource -n '__docsource_at icon; and __docsource_lacks cache-prune "" "0h"' -l cache-prune -d 'shrink the cache to its limits'
complete -c docsource -n '__docsource_at icon; and __docsource_lacks cache-clear "" "0h"' -l cache-clear -d 'empty the cache'
complete -c docsource -n '__docsource_at icon; and __docsource_lacks help "h" "0h"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_at icon trust; and __docsource_lacks help "h" "h"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_at icon trust add; and __docsource_lacks help "h" "h"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_at icon trust list; and __docsource_lacks help "h" "h"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_at icon trust remove' -a '(__docsource_hosts)'
complete -c docsource -n '__docsource_at icon trust remove; and __docsource_lacks help "h" "h"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_at apps; and __docsource_lacks known-from "" "ah" value' -l known-from -x -a 'user installed built-in' -d 'show only values from WHERE'
complete -c docsource -n '__docsource_at apps; and __docsource_lacks all "a" "ah"' -s a -l all -d 'include installed applications that menus leave out'
complete -c docsource -n '__docsource_at apps; and __docsource_lacks json "" "ah"' -l json -d 'print one JSON object per line'
complete -c docsource -n '__docsource_at apps; and __docsource_lacks help "h" "ah"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_at apps list; and __docsource_lacks known-from "" "ah" value' -l known-from -x -a 'user installed built-in' -d 'show only values from WHERE'
complete -c docsource -n '__docsource_at apps list; and __docsource_lacks all "a" "ah"' -s a -l all -d 'include installed applications that menus leave out'
complete -c docsource -n '__docsource_at apps list; and __docsource_lacks json "" "ah"' -l json -d 'print one JSON object per line'
complete -c docsource -n '__docsource_at apps list; and __docsource_lacks help "h" "ah"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_at apps show' -a '(__docsource_identifiers)'
complete -c docsource -n '__docsource_at apps show; and __docsource_lacks json "" "h"' -l json -d 'print one JSON object per line'
complete -c docsource -n '__docsource_at apps show; and __docsource_lacks help "h" "h"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_at apps add' -a '(__docsource_identifiers)'
complete -c docsource -n '__docsource_at apps add; and __docsource_lacks app-name "" "h" value' -l app-name -x -d 'set the application\'s display name'
complete -c docsource -n '__docsource_at apps add; and __docsource_lacks app-info-url "u" "h" value' -s u -l app-info-url -x -d 'set the URL of the application\'s icon list'
complete -c docsource -n '__docsource_at apps add; and __docsource_lacks insecure-url "" "h"' -l insecure-url -d 'accept URLs that are not https'
complete -c docsource -n '__docsource_at apps add; and __docsource_lacks help "h" "h"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_at apps remove' -a '(__docsource_identifiers --known-from user)'
complete -c docsource -n '__docsource_at apps remove; and __docsource_lacks help "h" "h"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_at doctor' -F
complete -c docsource -n '__docsource_at doctor; and __docsource_lacks json "" "h"' -l json -d 'print one JSON object per line for each path'
complete -c docsource -n '__docsource_at doctor; and __docsource_lacks no-dereference "" "h"' -l no-dereference -d 'act on symbolic links, not on their targets'
complete -c docsource -n '__docsource_at doctor; and __docsource_lacks files0-from "" "h" value' -l files0-from -r -F -d 'read NUL-terminated names from LIST; - is stdin'
complete -c docsource -n '__docsource_at doctor; and __docsource_lacks help "h" "h"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_at rule; and __docsource_lacks help "h" "h"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_at rule match' -F
complete -c docsource -n '__docsource_at rule match; and __docsource_lacks expression "e" "qh" value' -s e -l expression -x -d 'use PREDICATE as the rule, not RULE'
complete -c docsource -n '__docsource_at rule match; and __docsource_lacks context "" "qh" value' -l context -r -F -d 'take the content from FILE, a JSON document'
complete -c docsource -n '__docsource_at rule match; and __docsource_lacks as "" "qh" value' -l as -x -a 'text url image web-page' -d 'what each FILE stands for, instead of a file'
complete -c docsource -n '__docsource_at rule match' -l type -x -d 'the uniform type of each FILE, by its identifier'
complete -c docsource -n '__docsource_at rule match; and __docsource_lacks no-dereference "" "qh"' -l no-dereference -d 'act on symbolic links, not on their targets'
complete -c docsource -n '__docsource_at rule match' -l declarations -r -F -d 'add the types that FILE, such as an Info.plist, declares'
complete -c docsource -n '__docsource_at rule match; and __docsource_lacks json "" "qh"' -l json -d 'print one JSON object per line; exact, for programs'
complete -c docsource -n '__docsource_at rule match; and __docsource_lacks quiet "q" "qh"' -s q -l quiet -d 'print nothing; only the exit status tells'
complete -c docsource -n '__docsource_at rule match; and __docsource_lacks help "h" "qh"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_at rule explain' -F
complete -c docsource -n '__docsource_at rule explain; and __docsource_lacks expression "e" "h" value' -s e -l expression -x -d 'use PREDICATE as the rule, not RULE'
complete -c docsource -n '__docsource_at rule explain; and __docsource_lacks context "" "h" value' -l context -r -F -d 'take the content from FILE, a JSON document'
complete -c docsource -n '__docsource_at rule explain; and __docsource_lacks as "" "h" value' -l as -x -a 'text url image web-page' -d 'what each FILE stands for, instead of a file'
complete -c docsource -n '__docsource_at rule explain' -l type -x -d 'the uniform type of each FILE, by its identifier'
complete -c docsource -n '__docsource_at rule explain; and __docsource_lacks no-dereference "" "h"' -l no-dereference -d 'act on symbolic links, not on their targets'
complete -c docsource -n '__docsource_at rule explain' -l declarations -r -F -d 'add the types that FILE, such as an Info.plist, declares'
complete -c docsource -n '__docsource_at rule explain; and __docsource_lacks json "" "h"' -l json -d 'print one JSON object per line; exact, for programs'
complete -c docsource -n '__docsource_at rule explain; and __docsource_lacks help "h" "h"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_at rule lint; and __docsource_lacks expression "e" "h" value' -s e -l expression -x -d 'use PREDICATE as the rule, not RULE'
complete -c docsource -n '__docsource_at rule lint' -l declarations -r -F -d 'add the types that FILE, such as an Info.plist, declares'
complete -c docsource -n '__docsource_at rule lint; and __docsource_lacks json "" "h"' -l json -d 'print one JSON object per line; exact, for programs'
complete -c docsource -n '__docsource_at rule lint; and __docsource_lacks sarif "" "h"' -l sarif -d 'print a report in SARIF 2.1.0, the format of code hosts'
complete -c docsource -n '__docsource_at rule lint; and __docsource_lacks help "h" "h"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_at rule format; and __docsource_lacks expression "e" "h" value' -s e -l expression -x -d 'use PREDICATE as the rule, not RULE'
complete -c docsource -n '__docsource_at rule format; and __docsource_lacks one-line "" "h"' -l one-line -d 'print each predicate in one line'
complete -c docsource -n '__docsource_at rule format; and __docsource_lacks check "" "h"' -l check -d 'print nothing; tell by the status whether the predicate has this form'
complete -c docsource -n '__docsource_at rule format; and __docsource_lacks json "" "h"' -l json -d 'print one JSON object per line; exact, for programs'
complete -c docsource -n '__docsource_at rule format; and __docsource_lacks help "h" "h"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_at rule type' -F
complete -c docsource -n '__docsource_at rule type; and __docsource_lacks conforms-to "" "h" value' -l conforms-to -x -d 'print only whether each FILE is a TYPE; the status tells as well'
complete -c docsource -n '__docsource_at rule type; and __docsource_lacks tree "" "h"' -l tree -d 'print the types above as a tree; without FILE, all types'
complete -c docsource -n '__docsource_at rule type' -l type -x -d 'tell about TYPE instead of files'
complete -c docsource -n '__docsource_at rule type' -l declarations -r -F -d 'add the types that FILE, such as an Info.plist, declares'
complete -c docsource -n '__docsource_at rule type; and __docsource_lacks no-dereference "" "h"' -l no-dereference -d 'act on symbolic links, not on their targets'
complete -c docsource -n '__docsource_at rule type; and __docsource_lacks json "" "h"' -l json -d 'print one JSON object per line; exact, for programs'
complete -c docsource -n '__docsource_at rule type; and __docsource_lacks files0-from "" "h" value' -l files0-from -r -F -d 'read NUL-terminated names from LIST; - is stdin'
complete -c docsource -n '__docsource_at rule type; and __docsource_lacks help "h" "h"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_at plist; and __docsource_lacks help "h" "h"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_at plist show' -F
complete -c docsource -n '__docsource_at plist show; and __docsource_lacks json "" "h"' -l json -d 'print one line of JSON per list'
complete -c docsource -n '__docsource_at plist show; and __docsource_lacks xml "" "h"' -l xml -d 'print an XML property list; takes one file'
complete -c docsource -n '__docsource_at plist show; and __docsource_lacks limit "" "h" value' -l limit -x -d 'write at most SIZE of each list (default: 256M; none: no limit)'
complete -c docsource -n '__docsource_at plist show; and __docsource_lacks trailing-nul "" "h"' -l trailing-nul -d 'accept one NUL after the list, as Samba adds'
complete -c docsource -n '__docsource_at plist show; and __docsource_lacks files0-from "" "h" value' -l files0-from -r -F -d 'read NUL-terminated names from LIST; - is stdin'
complete -c docsource -n '__docsource_at plist show; and __docsource_lacks help "h" "h"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_at plist encode' -F
complete -c docsource -n '__docsource_at plist encode; and __docsource_lacks from "" "h" value' -l from -x -a 'json xml binary' -d 'set the input format (default: detect)'
complete -c docsource -n '__docsource_at plist encode; and __docsource_lacks canonical "" "h"' -l canonical -d 'sort keys by their UTF-8 bytes'
complete -c docsource -n '__docsource_at plist encode; and __docsource_lacks output "o" "h" value' -s o -l output -r -F -d 'write to FILE, or - for standard output'
complete -c docsource -n '__docsource_at plist encode; and __docsource_lacks help "h" "h"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_at plist check' -F
complete -c docsource -n '__docsource_at plist check; and __docsource_lacks canonical "" "qh"' -l canonical -d 'require the form of \'plist encode --canonical\''
complete -c docsource -n '__docsource_at plist check; and __docsource_lacks quiet "q" "qh"' -s q -l quiet -d 'do not report well-formed files'
complete -c docsource -n '__docsource_at plist check; and __docsource_lacks trailing-nul "" "qh"' -l trailing-nul -d 'accept one NUL after the list, as Samba adds'
complete -c docsource -n '__docsource_at plist check; and __docsource_lacks files0-from "" "qh" value' -l files0-from -r -F -d 'read NUL-terminated names from LIST; - is stdin'
complete -c docsource -n '__docsource_at plist check; and __docsource_lacks help "h" "qh"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_at completions' -a 'bash zsh fish'
complete -c docsource -n '__docsource_at completions; and __docsource_lacks help "h" "h"' -s h -l help -d 'show this help'
complete -c docsource -n '__docsource_shows help' -a tag -d 'record which application a file came from'
complete -c docsource -n '__docsource_shows help' -a show -d 'show which application a file came from'
complete -c docsource -n '__docsource_shows help' -a remove -d 'remove the record of which application a file came from'
complete -c docsource -n '__docsource_shows help' -a copy -d 'copy the mark of a file to other files'
complete -c docsource -n '__docsource_shows help' -a find -d 'find files by the application they came from'
complete -c docsource -n '__docsource_shows help' -a export -d 'write a manifest of the marks in a directory tree'
complete -c docsource -n '__docsource_shows help' -a import -d 'write the marks listed in a manifest'
complete -c docsource -n '__docsource_shows help' -a trace -d 'show all marks that say where a file came from'
complete -c docsource -n '__docsource_shows help' -a watch -d 'tag new documents with the application that wrote them'
complete -c docsource -n '__docsource_shows help' -a adopt -d 'convert marks of macOS, Windows and Samba to Linux attributes'
complete -c docsource -n '__docsource_shows help' -a strip -d 'remove marks of origin before sharing files'
complete -c docsource -n '__docsource_shows help' -a emit -d 'write marks of origin for macOS, Windows and desktops'
complete -c docsource -n '__docsource_shows help' -a icon -d 'find or fetch the icon of the application a file came from'
complete -c docsource -n '__docsource_shows help' -a apps -d 'list known applications and manage your own list'
complete -c docsource -n '__docsource_shows help' -a doctor -d 'check whether files can store the attribute, and if not, why'
complete -c docsource -n '__docsource_shows help' -a rule -d 'test and check activation rules of app extensions'
complete -c docsource -n '__docsource_shows help' -a plist -d 'show, encode and check binary property lists'
complete -c docsource -n '__docsource_shows help' -a completions -d 'print the completion script for a shell'
complete -c docsource -n '__docsource_shows help' -a help -d 'show the help of a verb or topic'
complete -c docsource -n '__docsource_shows help icon' -a trust -d 'manage the list of trusted hosts'
complete -c docsource -n '__docsource_shows help icon trust' -a add -d 'trust hosts'
complete -c docsource -n '__docsource_shows help icon trust' -a list -d 'print the trusted hosts, one per line'
complete -c docsource -n '__docsource_shows help icon trust' -a remove -d 'stop trusting hosts'
complete -c docsource -n '__docsource_shows help apps' -a list -d 'print the known applications, sorted'
complete -c docsource -n '__docsource_shows help apps' -a show -d 'print everything known about applications'
complete -c docsource -n '__docsource_shows help apps' -a add -d 'add an application to your own list'
complete -c docsource -n '__docsource_shows help apps' -a remove -d 'remove applications from your own list'
complete -c docsource -n '__docsource_shows help rule' -a match -d 'tell whether files match an activation rule'
complete -c docsource -n '__docsource_shows help rule' -a explain -d 'tell which part of an activation rule decides'
complete -c docsource -n '__docsource_shows help rule' -a lint -d 'find flaws of activation rules'
complete -c docsource -n '__docsource_shows help rule' -a format -d 'print the predicate of an activation rule in one form'
complete -c docsource -n '__docsource_shows help rule' -a type -d 'tell the uniform types of files'
complete -c docsource -n '__docsource_shows help plist' -a show -d 'print the contents of binary property lists'
complete -c docsource -n '__docsource_shows help plist' -a encode -d 'convert JSON or XML to a binary property list'
complete -c docsource -n '__docsource_shows help plist' -a check -d 'check that files are well-formed binary property lists'
complete -c docsource -n '__docsource_at help; and __docsource_lacks man "" "h"' -l man -d 'print the manual page as roff, for \'man -l -\''
complete -c docsource -n '__docsource_at help; and __docsource_lacks list "" "h"' -l list -d 'print the names of all verbs, one per line'
complete -c docsource -n '__docsource_at help; and __docsource_lacks topics "" "h"' -l topics -d 'print the names of all topics, each with its manual page'
complete -c docsource -n '__docsource_at help; and __docsource_lacks help "h" "h"' -s h -l help -d 'show this help'
