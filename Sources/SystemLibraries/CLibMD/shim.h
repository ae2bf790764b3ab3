#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <md5.h>
#include <sha2.h>
