#pragma once

#include <stddef.h>
#include <stdint.h>

struct cfloor_text {
  const char *_Nonnull bytes;
  size_t length;
};

/// Writes the property list of `count` keys, up to 14, and of as many values after them; returns its length.
///
/// The least that a writer has to do: all texts are ASCII, shorter than 256, different, and have
/// room, as the caller knows; that they are ASCII is the only thing looked at. 0 when they are not.
size_t cfloor_write(const struct cfloor_text *_Nonnull texts, size_t count, uint8_t *_Nonnull out);
