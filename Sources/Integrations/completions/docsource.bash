# bash completion for docsource, written by 'docsource completions bash'.

# What a verb takes, by the words that lead to it: the verbs it gathers; its options as
# LONG:SHORT: and what the value is, if it takes one; which of them add up; what its operands
# are. =A,B is one of these words.
__docsource_declared() {
  members=() options=() repeated=() operands=()
  case $1 in
    'docsource')
      members=(tag show remove copy find export import trace watch adopt strip emit icon apps open share intent item link rule doctor plist completions help)
      options=(help:h: version:V:)
      repeated=()
      operands=() ;;
    'docsource tag')
      members=()
      options=(app::identifier identifier:i:identifier app-name::text document:p:text root::directory app-info-url:u:text replace:: keep-other-fields:: insecure-url:: recursive:r: no-dereference:: dry-run:n: quiet:q: verbose:v: json:: files0-from::file threads:j:text untagged:: if-app::identifier if-identifier::identifier if-app-name::text if-document::text damaged:: file-name::text ignore-case:I: type:t:=f,d max-depth:d:text one-file-system:: hidden:H: no-hidden:: exclude:E:text gitignore:: help:h:)
      repeated=(if-app if-identifier if-app-name if-document file-name exclude)
      operands=(file) ;;
    'docsource show')
      members=()
      options=(json:: field:f:=identifier,name,path,appInfoURL xml:: raw:: null:0: verify:: recursive:r: no-dereference:: quiet:q: color::=auto,always,never threads:j:text files0-from::file hidden:H: no-hidden:: exclude:E:text help:h:)
      repeated=(exclude)
      operands=(file) ;;
    'docsource remove')
      members=()
      options=(recursive:r: no-dereference:: dry-run:n: quiet:q: json:: files0-from::file threads:j:text app::identifier identifier:i:identifier app-name::text document:p:text by-watch:: since::text damaged:: file-name::text ignore-case:I: type:t:=f,d max-depth:d:text one-file-system:: hidden:H: no-hidden:: exclude:E:text help:h:)
      repeated=(app identifier app-name document file-name exclude)
      operands=(file) ;;
    'docsource copy')
      members=()
      options=(all-attributes:a: no-dereference:: dry-run:n: quiet:q: json:: files0-from::file help:h:)
      repeated=()
      operands=(file) ;;
    'docsource find')
      members=()
      options=(app::identifier identifier:i:identifier app-name::text document:p:text untagged:: null:0: json:: format::text count:c: summary:s: sort:: exec:x:command exec-batch:X:command threads:j:text color::=auto,always,never files0-from::file rule::file from::host downloaded:: records:: written-by::text by-watch:: since::text verify::=agrees,unknown,disagrees damaged:: file-name::text ignore-case:I: newer::file type:t:=f,d max-depth:d:text one-file-system:: hidden:H: no-hidden:: exclude:E:text gitignore:: samba:: help:h:)
      repeated=(app identifier app-name document from written-by file-name exclude)
      operands=(directory) ;;
    'docsource export')
      members=()
      options=(output:o:file format::=json,getfattr root::directory one-file-system:x: files0-from::file hidden:H: no-hidden:: exclude:E:text help:h:)
      repeated=(exclude)
      operands=(directory file) ;;
    'docsource import')
      members=()
      options=(root::directory keep-existing:: allow-outside:: insecure-url:: dry-run:n: quiet:q: verbose:v: json:: help:h:)
      repeated=()
      operands=(file) ;;
    'docsource trace')
      members=()
      options=(json:: raw::mark no-recent:: records:: no-records:: verify:: embedded:: no-embedded:: all:: recursive:r: no-dereference:: threads:j:text color::=auto,always,never files0-from::file hidden:H: no-hidden:: exclude:E:text help:h:)
      repeated=(exclude)
      operands=(file) ;;
    'docsource watch')
      members=()
      options=(enable:: disable:: pause::text resume:: status:: directory::directory include::text exclude::text only-app::text exclude-app::text policy::=keep,last log:: no-log:: record-downloads:: no-record-downloads:: witness:: no-witness:: mount:: once::text dry-run:n: json:: verbose:v: quiet:q: help:h:)
      repeated=(directory include exclude only-app exclude-app)
      operands=(directory) ;;
    'docsource adopt')
      members=()
      options=(archive::file limit::text keep::=mostrecent,dotbar,native leave:: infer:: no-records:: embedded:: no-embedded:: recursive:r: no-dereference:: dry-run:n: files0-from::file quiet:q: json:: threads:j:text app::identifier identifier:i:identifier app-name::text document:p:text by-watch:: since::text damaged:: file-name::text ignore-case:I: type:t:=f,d max-depth:d:text one-file-system:: hidden:H: no-hidden:: exclude:E:text help:h:)
      repeated=(app identifier app-name document file-name exclude)
      operands=(file) ;;
    'docsource strip')
      members=()
      options=(keep::=source,creator,download,zone,notes,type,use only::=source,creator,download,zone,notes,type,use no-records:: recursive:r: no-dereference:: dry-run:n: quiet:q: json:: files0-from::file threads:j:text app::identifier identifier:i:identifier app-name::text document:p:text by-watch:: since::text damaged:: file-name::text ignore-case:I: type:t:=f,d max-depth:d:text one-file-system:: hidden:H: no-hidden:: exclude:E:text help:h:)
      repeated=(keep only app identifier app-name document file-name exclude)
      operands=(file) ;;
    'docsource emit')
      members=()
      options=(apple-double:: xdg:: zone:: force:f: no-dereference:: dry-run:n: quiet:q: json:: files0-from::file help:h:)
      repeated=()
      operands=(file) ;;
    'docsource icon')
      members=(trust)
      options=(size::text scale::text shape::=continuous,superellipse,circle-corner,none no-stroke:: output:o:file inline:: install:: offline:: trusted:: refresh:: explain:: json:: null:0: files0-from::file cache-stats:: cache-prune:: cache-clear:: help:h:)
      repeated=()
      operands=(file identifier) ;;
    'docsource icon trust')
      members=(add list remove)
      options=(help:h:)
      repeated=()
      operands=() ;;
    'docsource icon trust add')
      members=()
      options=(help:h:)
      repeated=()
      operands=() ;;
    'docsource icon trust list')
      members=()
      options=(help:h:)
      repeated=()
      operands=() ;;
    'docsource icon trust remove')
      members=()
      options=(help:h:)
      repeated=()
      operands=(host) ;;
    'docsource apps')
      members=(list show add remove)
      options=(known-from::=user,installed,built-in all:a: json:: help:h:)
      repeated=()
      operands=() ;;
    'docsource apps list')
      members=()
      options=(known-from::=user,installed,built-in all:a: json:: help:h:)
      repeated=()
      operands=() ;;
    'docsource apps show')
      members=()
      options=(json:: help:h:)
      repeated=()
      operands=(identifier) ;;
    'docsource apps add')
      members=()
      options=(app-name::text app-info-url:u:text insecure-url:: help:h:)
      repeated=()
      operands=(identifier) ;;
    'docsource apps remove')
      members=()
      options=(help:h:)
      repeated=()
      operands=(own) ;;
    'docsource open')
      members=()
      options=(source:s: original:: root::directory with::identifier list:l: all:: portal:: ask:: yes:y: dry-run:n: quiet:q: json:: files0-from::file help:h:)
      repeated=()
      operands=(file) ;;
    'docsource share')
      members=()
      options=(to::target=mail,message,call,map,copy,save,reading-list,print,contact,airdrop,twitter,facebook,weibo list:l: explain:: all:: exclude::target=mail,message,call,map,copy,save,reading-list,print,contact,airdrop,twitter,facebook,weibo table::=apple,nshipster text::text subject::text recipient::text cc::text bcc::text into::directory vcard::file option::text reading-list:: remove::text portal:: osc52:: any-path:: limit::text keep-private:: with-comment:: whole-url:: yes:y: dry-run:n: quiet:q: json:: output:o:file files0-from::file help:h:)
      repeated=(exclude recipient cc bcc option remove)
      operands=(file) ;;
    'docsource intent')
      members=(list perform lint default)
      options=(help:h:)
      repeated=()
      operands=() ;;
    'docsource intent list')
      members=()
      options=(catalogue::file json:: help:h:)
      repeated=(catalogue)
      operands=(=browser,mail,maps,call,message,document,twitter,facebook,gplus) ;;
    'docsource intent perform')
      members=()
      options=(app::text print:: ask:: remember:: no-fallback:: show-first-party:: no-in-app:: catalogue::file dry-run:n: json:: help:h:)
      repeated=(catalogue)
      operands=(=openHttpURL:,openHttpsURL:,openURL:withCallback:,sendMailTo:,searchForLocation:,directionsFrom:to:mode:,call:,sendMessageTo:,openDocument:,showTweetWithId:,showUserWithScreenName:,showUserWithId:,showTimeline,showMentions,showDirectMessages,sendDirectMessageToScreenName:,searchFor:,tweetMessage:,tweetMessage:inReplyTo:,showRetweets,showFavorites,showLists,showListWithId:,tweetSearchPage,followUser:,unfollowUser:,favoriteTweetWithId:,unfavoriteTweetWithId:,retweetTweetWithId:,showProfileWithId:,showEventWithId:,showGPlusProfileWithId:,showGPlusProfileWithName:,showGPlusEventWithId:,showGPlusCommunityWithId:) ;;
    'docsource intent lint')
      members=()
      options=(json:: help:h:)
      repeated=()
      operands=(file) ;;
    'docsource intent default')
      members=(get set choose remove)
      options=(help:h:)
      repeated=()
      operands=() ;;
    'docsource intent default get')
      members=()
      options=(json:: help:h:)
      repeated=()
      operands=(=browser,mail,maps,call,message,document,twitter,facebook,gplus) ;;
    'docsource intent default set')
      members=()
      options=(catalogue::file help:h:)
      repeated=(catalogue)
      operands=(=browser,mail,maps,call,message,document,twitter,facebook,gplus identifier) ;;
    'docsource intent default choose')
      members=()
      options=(catalogue::file help:h:)
      repeated=(catalogue)
      operands=(=browser,mail,maps,call,message,document,twitter,facebook,gplus) ;;
    'docsource intent default remove')
      members=()
      options=(help:h:)
      repeated=()
      operands=(=browser,mail,maps,call,message,document,twitter,facebook,gplus) ;;
    'docsource item')
      members=(show make apply extract send container)
      options=(help:h:)
      repeated=()
      operands=() ;;
    'docsource item show')
      members=()
      options=(for::text limit::text no-dereference:: json:: files0-from::file help:h:)
      repeated=()
      operands=(file) ;;
    'docsource item make')
      members=()
      options=(url::text text::text file::file type::text title::text content::text tag::text source-url::text referrer-app::identifier referrer-name::text referrer-app-store-id::text referrer-google-play-id::text referrer-web-url::text referrer-ios-app-url::text referrer-android-app-url::text attach::text custom::text from::file embed:: limit::text keep-private:: with-comment:: whole-url:: url-for::text text-for::text file-for::text item-for::text nothing-for::text type-for::text attach-for::text content-for::text subject-for::text thumbnail::file thumbnail-for::text dry-run:n: output:o:file help:h:)
      repeated=(type tag attach custom url-for text-for file-for item-for nothing-for type-for attach-for content-for subject-for thumbnail thumbnail-for)
      operands=() ;;
    'docsource item apply')
      members=()
      options=(comment:: media-type:: limit::text source:: force:f: no-dereference:: dry-run:n: quiet:q: json:: files0-from::file help:h:)
      repeated=()
      operands=(file) ;;
    'docsource item extract')
      members=()
      options=(for::text any-path:: force:f: limit::text dry-run:n: quiet:q: json:: help:h:)
      repeated=()
      operands=(file directory) ;;
    'docsource item send')
      members=()
      options=(to::text list:: option::text any-path:: limit::text keep-private:: with-comment:: whole-url:: yes:y: dry-run:n: json:: output:o:file help:h:)
      repeated=(option)
      operands=(file) ;;
    'docsource item container')
      members=()
      options=(create:: settings:: set::text unset::text import::file secret::text store-secret::text remove-secret::text service::text help:h:)
      repeated=(set unset)
      operands=(text) ;;
    'docsource link')
      members=(make parse check can apply)
      options=(help:h:)
      repeated=()
      operands=() ;;
    'docsource link make')
      members=()
      options=(app::identifier url::text tweet-id::text attribution::text parameter::text from::file keep-private:: any-url:: help:h:)
      repeated=(parameter)
      operands=() ;;
    'docsource link parse')
      members=()
      options=(lenient:: any-url:: json:: help:h:)
      repeated=()
      operands=() ;;
    'docsource link check')
      members=()
      options=(any-url:: quiet:q: json:: help:h:)
      repeated=()
      operands=() ;;
    'docsource link can')
      members=()
      options=(app::identifier quiet:q: json:: help:h:)
      repeated=(app)
      operands=() ;;
    'docsource link apply')
      members=()
      options=(tweet:: lenient:: any-url:: source:: force:f: no-dereference:: dry-run:n: quiet:q: json:: files0-from::file help:h:)
      repeated=()
      operands=(file) ;;
    'docsource rule')
      members=(match explain lint format type)
      options=(help:h:)
      repeated=()
      operands=() ;;
    'docsource rule match')
      members=()
      options=(expression:e:text context::file as::=text,url,image,web-page type::text item:: no-dereference:: declarations::file json:: quiet:q: help:h:)
      repeated=(type declarations)
      operands=(file) ;;
    'docsource rule explain')
      members=()
      options=(expression:e:text context::file as::=text,url,image,web-page type::text item:: no-dereference:: declarations::file json:: help:h:)
      repeated=(type declarations)
      operands=(file) ;;
    'docsource rule lint')
      members=()
      options=(expression:e:text declarations::file json:: sarif:: help:h:)
      repeated=(declarations)
      operands=() ;;
    'docsource rule format')
      members=()
      options=(expression:e:text one-line:: check:: json:: help:h:)
      repeated=()
      operands=() ;;
    'docsource rule type')
      members=()
      options=(conforms-to::text tree:: type::text declarations::file no-dereference:: json:: files0-from::file help:h:)
      repeated=(type declarations)
      operands=(file) ;;
    'docsource doctor')
      members=()
      options=(json:: no-dereference:: files0-from::file help:h:)
      repeated=()
      operands=(file) ;;
    'docsource plist')
      members=(show encode check)
      options=(help:h:)
      repeated=()
      operands=() ;;
    'docsource plist show')
      members=()
      options=(json:: xml:: limit::text trailing-nul:: files0-from::file help:h:)
      repeated=()
      operands=(file) ;;
    'docsource plist encode')
      members=()
      options=(from::=json,xml,binary canonical:: output:o:file help:h:)
      repeated=()
      operands=(file) ;;
    'docsource plist check')
      members=()
      options=(canonical:: quiet:q: trailing-nul:: files0-from::file help:h:)
      repeated=()
      operands=(file) ;;
    'docsource completions')
      members=()
      options=(help:h:)
      repeated=()
      operands=(=bash,zsh,fish) ;;
    'docsource help')
      members=()
      options=(all:a: man:: list:: topics:: help:h:)
      repeated=()
      operands=(verb) ;;
  esac
}

# Adds those words that begin as the one that is typed.
__docsource_add() {
  local word
  for word; do
    [[ $word == "$current"* ]] && COMPREPLY+=("$prefix$word")
  done
}

# Sets file to the first file on the command line, without the word that is typed.
__docsource_file() {
  local position
  for ((position = first; position < ${#COMP_WORDS[@]}; position++)); do
    file=${COMP_WORDS[position]//[\\\'\"]/}
    [[ $file == '~/'* ]] && file=$HOME/${file#'~/'}
    ((position != COMP_CWORD)) && [[ $file && $file != -* && -e $file ]] && return
  done
  file=
}

# Offers what fits the kinds given.
__docsource_offer() {
  local kind line file files= path position word carrier name='"name":"([^"\]+)"'
  local -a words named known
  for kind; do
    case $kind in
      file) files=file ;;
      directory) files=${files:-directory} ;;
      identifier | own)
        named=() known=()
        [[ $kind == own ]] && known=(--known-from user)
        # What would have to be quoted is not offered.
        while IFS= read -r line; do
          [[ $line =~ \"identifier\":\"([A-Za-z0-9._-]+)\" ]] || continue
          word=${BASH_REMATCH[1]}
          __docsource_add "$word"
          [[ $current && $line =~ $name && ${BASH_REMATCH[1],,} == "${current,,}"* ]] \
            && named+=("$word")
        done < <("$program" apps list --json "${known[@]}" 2>/dev/null </dev/null)
        # A name stands for its identifier, where no identifier begins so. Of several, readline
        # would put what they have in common in place of the name.
        ((${#COMPREPLY[@]} == 0 && ${#named[@]} == 1)) && COMPREPLY=("$prefix${named[0]}") ;;
      mark)
        # The marks of the first file on the command line.
        carrier='"carrier":"([^"\]+)"(.*)' words=() line=
        __docsource_file
        [[ $file ]] && IFS= read -r line < <("$program" trace --json --no-recent -- "$file" \
          2>/dev/null </dev/null)
        while [[ $line =~ $carrier ]]; do
          line=${BASH_REMATCH[2]} word=${BASH_REMATCH[1]}
          # Readline would break a name at a colon.
          [[ $word =~ ^[A-Za-z0-9._/-]+$ && " ${words[*]} " != *" $word "* ]] \
            && words+=("$word")
        done
        __docsource_add "${words[@]}" ;;
      target=*)
        # What the first file on the command line can be shared with.
        IFS=, read -ra words <<<"${kind#target=}"
        __docsource_file
        [[ $file ]] && words=() && while IFS= read -r line; do
          [[ $line =~ \"target\":\"([A-Za-z0-9._-]+)\" ]] && words+=("${BASH_REMATCH[1]}")
        done < <("$program" share --list --json -- "$file" 2>/dev/null </dev/null)
        __docsource_add "${words[@]}" ;;
      host)
        while IFS= read -r line; do
          [[ $line =~ ^[A-Za-z0-9._-]+$ ]] && __docsource_add "$line"
        done < <("$program" icon trust list 2>/dev/null </dev/null) ;;
      command)
        mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -c -P "$prefix" -- "$current") ;;
      verb)
        path=docsource
        for ((position = first; position < COMP_CWORD; position++)); do
          [[ ${COMP_WORDS[position]} == -* ]] || path+=" ${COMP_WORDS[position]}"
        done
        __docsource_declared "$path"
        __docsource_add "${members[@]}" ;;
      =*)
        IFS=, read -ra words <<<"${kind#=}"
        __docsource_add "${words[@]}" ;;
    esac
  done
  [[ $files ]] || return
  if ((${#COMPREPLY[@]} == 0)) && [[ ! $prefix ]]; then
    # Readline's own completion quotes names best.
    [[ $files == file ]] && compopt -o default || compopt -o dirnames
  else
    mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY \
      < <(compgen -A "$files" -P "$prefix" -- "$current")
    compopt -o filenames
  fi
}

_docsource() {
  local program=$1 current=$2 prefix= path=docsource
  local word option rest kind= letters ended= given=' '
  local spent=
  local IFS=$' \t\n'
  local -a members options repeated operands
  local -i position=1 first
  COMPREPLY=()
  # The command is as it was typed.
  [[ $program == '~/'* ]] && program=$HOME/${program#'~/'}
  type -P -- "$program" >/dev/null || program=docsource
  __docsource_declared "$path"
  while ((position < COMP_CWORD)); do
    word=${COMP_WORDS[position]}
    [[ $word && " ${members[*]} " == *" $word "* ]] || break
    path+=" $word"
    __docsource_declared "$path"
    ((position += 1))
  done
  first=position

  for (( ; position < COMP_CWORD; position++)); do
    word=${COMP_WORDS[position]}
    if [[ $kind == command ]]; then
      # Its arguments follow, up to a semicolon.
      case $word in
        '=') ;;
        '\;' | "';'" | '";"') kind= spent= ;;
        *) spent=yes ;;
      esac
      continue
    elif [[ $kind ]]; then
      # Readline breaks words at =; the value is the next.
      [[ $word == '=' ]] || kind=
      continue
    fi
    case $word in
      --) ended=yes; break ;;
      --*)
        for option in "${options[@]}"; do
          [[ ${word%%=*} == "--${option%%:*}" ]] || continue
          given+="${option%%:*} "
          [[ $word == *=* ]] || kind=${option##*:}
        done ;;
      -?*)
        for ((letters = 1; letters < ${#word}; letters++)); do
          for option in "${options[@]}"; do
            rest=${option#*:}
            [[ ${rest%%:*} == "${word:letters:1}" ]] || continue
            given+="${option%%:*} "
            if [[ ${option##*:} ]]; then
              if ((letters + 1 == ${#word})); then
                kind=${option##*:}
              elif [[ ${option##*:} == command ]]; then
                kind=command spent=yes
              fi
              letters=${#word}
            fi
            break
          done
        done ;;
    esac
  done

  if [[ $spent ]]; then
    compopt -o default
  elif [[ $kind ]]; then
    __docsource_offer "$kind"
  elif [[ ! $ended && $current == --*=* ]]; then
    # Where COMP_WORDBREAKS has no =.
    for option in "${options[@]}"; do
      [[ ${current%%=*} == "--${option%%:*}" ]] && kind=${option##*:}
    done
    prefix=${current%%=*}= current=${current#*=}
    [[ $kind ]] && __docsource_offer "$kind"
  elif [[ ! $ended && $current == -* ]]; then
    for option in "${options[@]}"; do
      word=" ${option%%:*} "
      [[ $given == *$word* && " ${repeated[*]} " != *$word* ]] && continue
      rest=${option#*:}
      if [[ $current == "-${rest%%:*}" && $current != - ]]; then
        COMPREPLY=("$current")
        return
      fi
      [[ ${option##*:} ]] && rest== || rest=
      __docsource_add "--${option%%:*}$rest"
    done
    [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
  else
    ((first == COMP_CWORD)) && __docsource_add "${members[@]}"
    __docsource_offer "${operands[@]}"
  fi
  return 0
}

complete -F _docsource docsource
