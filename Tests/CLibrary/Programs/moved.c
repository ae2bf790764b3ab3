// moved DIRECTORY: goes to a directory, which has another docsource-fetch by the relative path of
// this one's library, and has an icon fetched there.

#include <documentsource.h>

#include "check.h"

#include <poll.h>
#include <unistd.h>

int main(int count, char **words) {
  CHECK(count == 2 && chdir(words[1]) == 0);
  docsource_fetch *fetch;
  CHECK(docsource_fetch_start("https://picture/", 48, 1, 0, &fetch, NULL) == DOCSOURCE_OK);
  struct pollfd ended = {.fd = docsource_fetch_descriptor(fetch), .events = POLLIN};
  CHECK(poll(&ended, 1, 60000) == 1);
  CHECK(docsource_fetch_result(fetch, NULL) == DOCSOURCE_OK);
  CHECK(docsource_fetch_picture(fetch, NULL) != NULL);
  docsource_fetch_free(fetch);
  puts("kept");
  return 0;
}
