#include <libxml/xmlreader.h>
#include <libxml/xmlerror.h>

/// xmlFree, which is a variable that Swift takes for shared mutable state.
static inline void cxml2_free(void *memory) { xmlFree(memory); }
