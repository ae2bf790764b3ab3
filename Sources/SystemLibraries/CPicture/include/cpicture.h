/// PNG pictures for Swift, through libpng's row interface.
///
/// libpng reports an error by a long jump, which must not cross a Swift frame: each function here
/// catches it and returns -1 (or NULL) with the library's words. Pixels are straight RGBA, 8 bits
/// a sample. Ancillary chunks but tRNS are passed over unread: no text or profile is inflated, and
/// neither gAMA nor a profile changes a sample.

#ifndef CPICTURE_H
#define CPICTURE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What libpng said, and how many bytes it had taken by then.
typedef struct cpicture_failure {
  char words[120];
  size_t offset;
} cpicture_failure;

/// A PNG being read.
typedef struct cpicture_reader cpicture_reader;

/// Reads up to the first row. The bytes must stay until cpicture_close. NULL on failure.
///
/// A picture of more than `side` pixels in width or height fails.
cpicture_reader *_Nullable cpicture_open(const uint8_t *_Nonnull bytes, size_t count, uint32_t side,
                                         cpicture_failure *_Nonnull failure);
/// Width in pixels.
uint32_t cpicture_width(const cpicture_reader *_Nonnull reader);
/// Height in pixels.
uint32_t cpicture_height(const cpicture_reader *_Nonnull reader);
/// Reads the next row, of 4 * width bytes. An interlaced picture is read whole at the first row.
int cpicture_read_row(cpicture_reader *_Nonnull reader, uint8_t *_Nonnull row,
                      cpicture_failure *_Nonnull failure);
/// Reads to the end of the picture, which must be there; what follows IEND is not looked at.
int cpicture_finish(cpicture_reader *_Nonnull reader, cpicture_failure *_Nonnull failure);
/// Frees the reader, also after a failure.
void cpicture_close(cpicture_reader *_Nonnull reader);

/// A PNG that was written; the bytes are to be freed with free(3).
typedef struct cpicture_output {
  uint8_t *_Nullable bytes;
  size_t count;
} cpicture_output;

/// Writes rows of 4 * width bytes as RGBA marked sRGB, the same bytes for the same pixels.
int cpicture_write(const uint8_t *_Nonnull pixels, uint32_t width, uint32_t height,
                   cpicture_output *_Nonnull output, cpicture_failure *_Nonnull failure);

#ifdef __cplusplus
}
#endif

#endif
