#include "cfloor.h"
#include <string.h>

size_t cfloor_write(const struct cfloor_text *texts, size_t count, uint8_t *out) {
  const size_t objects = 2 * count + 1;
  uint8_t offsets[31];
  offsets[0] = 8;
  size_t at = 9 + 2 * count;
  uint64_t bits = 0;
  memcpy(out, "bplist00", 8);
  out[8] = (uint8_t)(0xd0 | count);
  for (size_t index = 0; index < 2 * count; index++) {
    const char *bytes = texts[index].bytes;
    size_t length = texts[index].length, position = 0;
    out[9 + index] = (uint8_t)(index + 1);
    offsets[index + 1] = (uint8_t)at;
    if (length < 15) {
      out[at++] = (uint8_t)(0x50 | length);
    } else {
      out[at] = 0x5f;
      out[at + 1] = 0x10;
      out[at + 2] = (uint8_t)length;
      at += 3;
    }
    for (; position + 8 <= length; position += 8) {
      uint64_t word;
      memcpy(&word, bytes + position, 8);
      bits |= word;
      memcpy(out + at + position, &word, 8);
    }
    for (; position < length; position++) {
      bits |= (uint8_t)bytes[position];
      out[at + position] = (uint8_t)bytes[position];
    }
    at += length;
  }
  if (bits & 0x8080808080808080u) return 0;
  memcpy(out + at, offsets, objects);
  uint8_t *trailer = out + at + objects;
  memset(trailer, 0, 32);
  trailer[6] = 1;
  trailer[7] = 1;
  trailer[15] = (uint8_t)objects;
  trailer[31] = (uint8_t)at;
  return at + objects + 32;
}
