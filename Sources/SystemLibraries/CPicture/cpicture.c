#include "cpicture.h"

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

struct cpicture_reader {
  png_structp png;
  png_infop info;
  const uint8_t *bytes;
  size_t count;
  size_t taken;
  uint32_t width;
  uint32_t height;
  int interlaced;
  uint8_t *whole;  // all rows of an interlaced picture
  uint32_t row;    // the next of them
  cpicture_failure *failure;
};

static void tell(cpicture_failure *failure, const char *words, size_t offset) {
  strncpy(failure->words, words, sizeof failure->words - 1);
  failure->words[sizeof failure->words - 1] = 0;
  failure->offset = offset;
}

static void reading_failed(png_structp png, png_const_charp words) {
  cpicture_reader *reader = png_get_error_ptr(png);
  tell(reader->failure, words, reader->taken);
  png_longjmp(png, 1);
}

static void pass_over(png_structp png, png_const_charp words) {
  (void)png;
  (void)words;
}

static void take(png_structp png, png_bytep bytes, size_t count) {
  cpicture_reader *reader = png_get_io_ptr(png);
  if (count > reader->count - reader->taken) {
    reader->taken = reader->count;
    png_error(png, "the data ends too soon");
  }
  memcpy(bytes, reader->bytes + reader->taken, count);
  reader->taken += count;
}

// Everything becomes RGBA of 8 bits; 16 bits are rounded, not cut.
static void transform(cpicture_reader *reader) {
  png_structp png = reader->png;
  png_set_expand(png);
  png_set_scale_16(png);
  png_set_gray_to_rgb(png);
  png_set_add_alpha(png, 255, PNG_FILLER_AFTER);
  reader->interlaced = png_set_interlace_handling(png) > 1;
  png_read_update_info(png, reader->info);
  if (png_get_rowbytes(png, reader->info) != 4 * (size_t)reader->width) {
    png_error(png, "the rows are not RGBA");
  }
}

cpicture_reader *cpicture_open(const uint8_t *bytes, size_t count, uint32_t side,
                               cpicture_failure *failure) {
  cpicture_reader *reader = calloc(1, sizeof *reader);
  if (reader == NULL) {
    tell(failure, "out of memory", 0);
    return NULL;
  }
  reader->bytes = bytes;
  reader->count = count;
  reader->failure = failure;
  tell(failure, "out of memory", 0);  // the only way not to get a struct
  reader->png =
      png_create_read_struct(PNG_LIBPNG_VER_STRING, reader, reading_failed, pass_over);
  reader->info = reader->png == NULL ? NULL : png_create_info_struct(reader->png);
  if (reader->info == NULL || setjmp(png_jmpbuf(reader->png))) {
    cpicture_close(reader);
    return NULL;
  }
  png_structp png = reader->png;
  png_set_read_fn(png, reader, take);
  png_set_user_limits(png, side, side);
  // Never inflate or keep what does not change pixels; chunks are no longer than the file.
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
  png_set_chunk_malloc_max(png, count < 8 ? 8 : count);
  png_read_info(png, reader->info);
  reader->width = png_get_image_width(png, reader->info);
  reader->height = png_get_image_height(png, reader->info);
  transform(reader);
  return reader;
}

uint32_t cpicture_width(const cpicture_reader *reader) { return reader->width; }

uint32_t cpicture_height(const cpicture_reader *reader) { return reader->height; }

static void read_whole(cpicture_reader *reader) {
  size_t stride = 4 * (size_t)reader->width;
  // Zeroed: a pass that adds nothing to a row leaves it as it is.
  reader->whole = calloc(reader->height, stride);
  if (reader->whole == NULL) png_error(reader->png, "out of memory");
  for (int pass = 0; pass < PNG_INTERLACE_ADAM7_PASSES; pass++) {
    for (uint32_t row = 0; row < reader->height; row++) {
      png_read_row(reader->png, reader->whole + row * stride, NULL);
    }
  }
}

int cpicture_read_row(cpicture_reader *reader, uint8_t *row, cpicture_failure *failure) {
  reader->failure = failure;
  if (reader->row >= reader->height) {
    tell(failure, "there is no further row", reader->taken);
    return -1;
  }
  if (setjmp(png_jmpbuf(reader->png))) return -1;
  if (!reader->interlaced) {
    png_read_row(reader->png, row, NULL);
  } else {
    if (reader->whole == NULL) read_whole(reader);
    size_t stride = 4 * (size_t)reader->width;
    memcpy(row, reader->whole + reader->row * stride, stride);
  }
  reader->row++;
  return 0;
}

int cpicture_finish(cpicture_reader *reader, cpicture_failure *failure) {
  reader->failure = failure;
  if (setjmp(png_jmpbuf(reader->png))) return -1;
  png_read_end(reader->png, NULL);
  return 0;
}

void cpicture_close(cpicture_reader *reader) {
  if (reader->png != NULL) png_destroy_read_struct(&reader->png, &reader->info, NULL);
  free(reader->whole);
  free(reader);
}

// Where the bytes of a PNG go.
struct writing {
  cpicture_output *output;
  size_t capacity;
  cpicture_failure *failure;
};

static void writing_failed(png_structp png, png_const_charp words) {
  struct writing *writing = png_get_error_ptr(png);
  tell(writing->failure, words, writing->output->count);
  png_longjmp(png, 1);
}

static void put(png_structp png, png_bytep bytes, size_t count) {
  struct writing *writing = png_get_io_ptr(png);
  cpicture_output *output = writing->output;
  if (count > writing->capacity - output->count) {
    size_t capacity = 2 * writing->capacity + count;
    uint8_t *larger = realloc(output->bytes, capacity);
    if (larger == NULL) png_error(png, "out of memory");
    output->bytes = larger;
    writing->capacity = capacity;
  }
  memcpy(output->bytes + output->count, bytes, count);
  output->count += count;
}

static void flush(png_structp png) { (void)png; }

int cpicture_write(const uint8_t *pixels, uint32_t width, uint32_t height, cpicture_output *output,
                   cpicture_failure *failure) {
  *output = (cpicture_output){NULL, 0};
  tell(failure, "out of memory", 0);
  struct writing writing = {output, 0, failure};
  png_structp png =
      png_create_write_struct(PNG_LIBPNG_VER_STRING, &writing, writing_failed, pass_over);
  png_infop info = png == NULL ? NULL : png_create_info_struct(png);
  if (info == NULL || setjmp(png_jmpbuf(png))) {
    png_destroy_write_struct(&png, &info);
    free(output->bytes);
    *output = (cpicture_output){NULL, 0};
    return -1;
  }
  png_set_write_fn(png, &writing, put, flush);
  png_set_IHDR(png, info, width, height, 8, PNG_COLOR_TYPE_RGB_ALPHA, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
  png_write_info(png, info);
  for (uint32_t row = 0; row < height; row++) {
    png_write_row(png, pixels + row * 4 * (size_t)width);
  }
  png_write_end(png, NULL);
  png_destroy_write_struct(&png, &info);
  return 0;
}
