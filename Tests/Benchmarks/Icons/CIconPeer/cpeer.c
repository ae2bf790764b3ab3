#include "cpeer.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

uint8_t *cpeer_read(const uint8_t *png, size_t count, uint32_t *width, uint32_t *height) {
  png_image image = {.version = PNG_IMAGE_VERSION};
  if (!png_image_begin_read_from_memory(&image, png, count)) return NULL;
  image.format = PNG_FORMAT_RGBA;
  uint8_t *pixels = malloc(PNG_IMAGE_SIZE(image));
  if (pixels == NULL || !png_image_finish_read(&image, NULL, pixels, 0, NULL)) return NULL;
  *width = image.width;
  *height = image.height;
  return pixels;
}

size_t cpeer_write(const uint8_t *pixels, uint32_t side, uint8_t *output, size_t capacity) {
  png_image image = {.version = PNG_IMAGE_VERSION, .width = side, .height = side,
                     .format = PNG_FORMAT_RGBA};
  png_alloc_size_t size = capacity;
  return png_image_write_to_memory(&image, output, &size, 0, pixels, 0, NULL) ? size : 0;
}

static void add(float sum[4], const uint8_t *pixel, float weight) {
  float alpha = pixel[3] * weight;
  for (int sample = 0; sample < 3; sample++) sum[sample] += pixel[sample] * alpha;
  sum[3] += alpha;
}

// The part of the unit at `index` that lies between `from` and `to`.
static float part(uint32_t index, float from, float to) {
  float low = index < from ? from : index, high = index + 1 > to ? to : index + 1;
  return high - low;
}

size_t cpeer_render(const uint8_t *png, size_t count, uint32_t side, uint8_t *output,
                    size_t capacity) {
  uint32_t width, height;
  uint8_t *pixels = cpeer_read(png, count, &width, &height);
  uint8_t *small = malloc(4 * (size_t)side * side);
  float across = (float)width / side, down = (float)height / side;
  for (uint32_t y = 0; y < side; y++) {
    for (uint32_t x = 0; x < side; x++) {
      float sum[4] = {0}, left = x * across, top = y * down;
      float right = left + across, bottom = top + down;
      for (uint32_t row = top; row < bottom && row < height; row++) {
        float share = part(row, top, bottom);
        for (uint32_t column = left; column < right && column < width; column++) {
          add(sum, pixels + 4 * ((size_t)row * width + column), share * part(column, left, right));
        }
      }
      uint8_t *pixel = small + 4 * (y * side + x);
      for (int sample = 0; sample < 3; sample++) {
        pixel[sample] = sum[3] > 0 ? sum[sample] / sum[3] + 0.5f : 0;
      }
      pixel[3] = sum[3] / (across * down) + 0.5f;
    }
  }
  size_t written = cpeer_write(small, side, output, capacity);
  free(small);
  free(pixels);
  return written;
}
