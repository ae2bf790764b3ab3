/// What a C program would do with libpng's simplified interface.

#ifndef CPEER_H
#define CPEER_H

#include <stddef.h>
#include <stdint.h>

/// Reads a PNG whole as RGBA, in memory to be freed; the size goes to `width` and `height`.
uint8_t *cpeer_read(const uint8_t *png, size_t count, uint32_t *width, uint32_t *height);

/// Reads, scales to a square of `side` by a box filter in floating point, and writes a PNG into
/// `output`, which holds `capacity` bytes. No mask. The count of bytes, 0 on failure.
size_t cpeer_render(const uint8_t *png, size_t count, uint32_t side, uint8_t *output,
                    size_t capacity);

/// Writes RGBA as a PNG into `output`, which holds `capacity` bytes; the count of bytes.
size_t cpeer_write(const uint8_t *pixels, uint32_t side, uint8_t *output, size_t capacity);

#endif
