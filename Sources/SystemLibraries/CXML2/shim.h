#include <libxml/xmlreader.h>
#include <libxml/xmlerror.h>

/// xmlFree, which is a variable that Swift takes for shared mutable state.
static inline void cxml2_free(void *memory) { xmlFree(memory); }

static inline void cxml2_ignore(void *context, const char *message, ...) {
  (void)context;
  (void)message;
}

/// Has the calling thread's parsers print nothing of what is wrong, text of the document and all.
static inline void cxml2_silence(void) { xmlSetGenericErrorFunc(NULL, cxml2_ignore); }
