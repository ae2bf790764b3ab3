/// The catalogues that come with docsource, as JSON.
package enum BuiltInIntents {
  /// What Linux has for each class: URLs that the desktop's applications are registered for, with
  /// OpenStreetMap where none shows maps.
  package static let linux = #"""
    {"apps":{
    "Browser":{"name":{"en":"Web browser","de":"Webbrowser","zh-CN":"网页浏览器"},"internalName":"bro\#
    wser","actions":{"openHttpURL:":"http://{{{url}}}","openHttpsURL:":"https://{{{url}}}"}},
    "Mail":{"name":{"en":"Mail program","de":"E-Mail-Programm","zh-CN":"邮件程序"},"internalName":"m\#
    ail","optional":{"subject":"&subject={{subject}}","messageBody":"&body={{messageBody}}"},"ac\#
    tions":{"sendMailTo:":"mailto:{{@recipient}}"}},
    "Maps":{"name":{"en":"Maps","de":"Karten","zh-CN":"地图"},"internalName":"maps","optional":{"z\#
    oom":"&z={{zoom}}"},"defaultValues":{"center":"0,0"},"actions":{"searchForLocation:":"geo:{{\#
    center}}?q={{query}}"}},
    "Phone":{"name":{"en":"Phone","de":"Telefon","zh-CN":"电话"},"internalName":"call","actions":{\#
    "call:":"tel:{{{number}}}"}},
    "Messages":{"name":{"en":"Messages","de":"Nachrichten","zh-CN":"信息"},"internalName":"message\#
    ","optional":{"body":"&body={{body}}"},"actions":{"sendMessageTo:":"sms:{{{recipient}}}"}}},\#
    "defaults":{
    "INKMapsHandler":{"fallbackUrls":{"searchForLocation:":"https://www.openstreetmap.org/search\#
    ?query={{query}}","directionsFrom:to:mode:":"https://www.openstreetmap.org/directions?from={\#
    {from}}&to={{to}}"},"optional":{"mode":"&engine={{mode}}"},"values":{"mode":{"driving":"foss\#
    gis_osrm_car","walking":"fossgis_osrm_foot"}}}}}
    """#

  /// The applications of iOS that IntentKit knows, to build and check their URLs: the values of its
  /// property lists at commit c520298352ae61316e92a0fecdc2e250280b393c, Copyright (c) 2013 Mike
  /// Walker, under the MIT licence, whose text is in Sources/Integrations/debian/copyright.
  package static let iOS = #"""
    {"apps":{
    "1Password":{"name":"1Password","actions":{"openHttpsURL:":"ophttps://{{{url}}}","openHttpUR\#
    L:":"ophttp://{{{url}}}"}},
    "Chrome":{"name":"Chrome","actions":{"openHttpsURL:":"googlechromes://{{{url}}}","openHttpUR\#
    L:":"googlechrome://{{{url}}}","openURL:withCallback:":"googlechrome-x-callback://x-callback\#
    -url/open/?x-source={{source}}&x-success={{callback}}&url={{url}}"}},
    "Facebook":{"name":"Facebook","actions":{"showProfileWithId:":"fb://profile/{{userId}}","sho\#
    wEventWithId:":"fb://event/{{eventId}}"}},
    "Gmail":{"name":"Gmail","optional":{"subject":"&subject={{subject}}","messageBody":"&body={{\#
    messageBody}}"},"actions":{"sendMailTo:":"googlegmail:///co?to={{recipient}}"}},
    "Google Maps":{"name":"Google Maps","optional":{"zoom":"&zoom={{zoom}}","center":"&center={{\#
    center}}"},"actions":{"directionsFrom:to:mode:":"comgooglemaps://?saddr={{from}}&daddr={{to}\#
    }&directionsmode={{mode}}","searchForLocation:":"comgooglemaps://?q={{query}}"}},
    "Google+":{"name":"Google+","actions":{"showGPlusProfileWithId:":"gplus://plus.google.com/{{\#
    userId}}","showGPlusProfileWithName:":"gplus://plus.google.com/+{{userName}}","showGPlusEven\#
    tWithId:":"gplus://plus.google.com/events/{{eventId}}","showGPlusCommunityWithId:":"gplus://\#
    plus.google.com/u/0/communities/{{communityId}}"}},
    "INKMailSheet":{"name":"In App","className":"INKMailSheet","actions":["sendMailTo:"]},
    "INKTweetSheet":{"className":"INKTweetSheet","name":"In App","actions":["tweetMessage:"]},
    "INKWebView":{"name":"In App","actions":["openHttpURL:","openHttpsURL:"],"className":"INKWeb\#
    View"},
    "Mail":{"name":"Mail","optional":{"subject":"&subject={{subject}}","messageBody":"&body={{me\#
    ssageBody}}"},"actions":{"sendMailTo:":"mailto:{{recipient}}"}},
    "Maps":{"name":{"en":"Maps","de":"Karten","fr":"Plans","nl":"Kaarten"},"optional":{"zoom":"&\#
    z={{zoom}}","center":"&ll={{center}}"},"actions":{"directionsFrom:to:mode:":"http://maps.app\#
    le.com/?saddr={{from}}&daddr={{to}}","searchForLocation:":"http://maps.apple.com/?q={{query}\#
    }"}},
    "Safari":{"name":"Safari","actions":{"openHttpURL:":"http://{{{url}}}","openHttpsURL:":"http\#
    s://{{{url}}}"}},
    "Tweetbot":{"name":"Tweetbot","optional":{"callbackURL":"&callback_url={{callbackURL}}"},"ac\#
    tions":{"showTweetWithId:":"tweetbot://{{activeUser}}/status/{{tweetId}}?","showUserWithScre\#
    enName:":"tweetbot://{{activeUser}}/user_profile/{{screenName}}?","showUserWithId:":"tweetbo\#
    t://{{activeUser}}/user_profile/{{userId}}?","showTimeline":"tweetbot://{{activeUser}}/timel\#
    ine?","showMentions":"tweetbot://{{activeUser}}/mentions?","showDirectMessages":"tweetbot://\#
    {{activeUser}}/direct_messages?","showRetweets":"tweetbot://{{activeUser}}/retweets?","showL\#
    ists":"tweetbot://{{activeUser}}/lists?","showListWithId:":"tweetbot://{{activeUser}}/list/{\#
    listId}?","showFavorites":"tweetbot://{{activeUser}}/favorites?","searchFor:":"tweetbot://{{\#
    activeUser}}/search?query={{query}}","tweetSearchPage":"tweetbot://{{activeUser}}/search?","\#
    tweetMessage:":"tweetbot://{{activeUser}}/post?text={{message}}","tweetMessage:inReplyTo:":"\#
    tweetbot://{{activeUser}}/post?text={{message}}&in_reply_to_status_id={{replyId}}","followUs\#
    er:":"tweetbot://{{activeUser}}/follow/{{user}}?","unfollowUser:":"tweetbot://{{activeUser}}\#
    /unfollow/{{user}}?","favoriteTweetWithId:":"tweetbot://{{activeUser}}/favorite/{{tweetId}}?\#
    ","unfavoriteTweetWithId:":"tweetbot://{{activeUser}}/unfavorite/{{tweetId}}?","retweetTweet\#
    WithId:":"tweetbot://{{activeUser}}/retweet/{{tweetId}}?"}},
    "Twitter":{"name":"Twitter","actions":{"showTweetWithId:":"twitter://status?id={{tweetId}}",\#
    "showUserWithScreenName:":"twitter://user?screen_name={{screenName}}","showUserWithId:":"twi\#
    tter://user?id={{userId}}","showTimeline":"twitter://timeline","showMentions":"twitter://men\#
    tions","showDirectMessages":"twitter://connect","sendDirectMessageToScreenName:":"twitter://\#
    messages?screen_name={{screenName}}","searchFor:":"twitter://search?query={{query}}","tweetM\#
    essage:":"twitter://post?message={{message}}","tweetMessage:inReplyTo:":"twitter://post?mess\#
    age={{message}}&in_reply_to_status_id={{replyId}}"}},
    "Twitterrific":{"name":"Twitterrific","actions":{"showTweetWithId:":"twitterrific:///tweet?i\#
    d={{tweetId}}","showUserWithScreenName:":"twitterrific:///profile?screen_name={{screenName}}\#
    ","showTimeline":"twitterrific:///tweets","showMentions":"twitterrific:///mentions","showDir\#
    ectMessages":"twitterrific:///messages","searchFor:":"twitterrific:///search?q={{query}}","t\#
    weetMessage:":"twitterrific:///post?message={{message}}"}},
    "Waze":{"name":"Waze","actions":{"directionsFrom:to:mode:":"waze://?ll={{to}}&navigate=yes"}\#
    }},"defaults":{
    "INKBrowserHandler":{"firstPartyAppName":"Safari","default":"INKWebView"},
    "INKFacebookHandler":{"default":"Facebook","fallbackUrls":{"showProfileWithId:":"https://fac\#
    ebook.com/{{userId}}","showEventWithId:":"https://facebook.com/events/{{eventId}}"}},
    "INKGPlusHandler":{"default":"Google+","fallbackUrls":{"showGPlusProfileWithId:":"https://pl\#
    us.google.com/{{userId}}","showGPlusProfileWithName:":"https://plus.google.com/+{{userName}}\#
    ","showGPlusEventWithId:":"gplus://plus.google.com/events/{{eventId}}","showGPlusCommunityWi\#
    thId:":"https://plus.google.com/u/0/communities/{{communityId}}"}},
    "INKMailHandler":{"firstPartyAppName":"Mail","default":"INKMailSheet"},
    "INKMapsHandler":{"default":"Maps"},
    "INKTwitterHandler":{"default":"INKTweetSheet","fallbackUrls":{"showUserWithScreenName:":"ht\#
    tps://twitter.com/intent/user?screen_name={{screenName}}","showUserWithId:":"https://twitter\#
    .com/intent/user?user_id={{userId}}","showTimeline":"http://twitter.com","showMentions":"htt\#
    ps://twitter.com/i/connect","showDirectMessages":"https://twitter.com/i/connect","sendDirect\#
    MessageToScreenName:":"https://mobile.twitter.com/{{screenName}}/messages","searchFor:":"htt\#
    ps://twitter.com/search?q={{query}}","tweetMessage:":"https://twitter.com/intent/tweet?text=\#
    {{message}}","tweetMessage:inReplyTo:":"https://twitter.com/intent/tweet?text={{message}}&in\#
    _reply_to={{replyId}}","favoriteTweetWithId:":"https://twitter.com/intent/favorite?tweet_id=\#
    {{tweetId}}","retweetTweetWithId:":"https://twitter.com/intent/retweet?tweet_id={{tweetId}}?\#
    "}}}}
    """#
}
