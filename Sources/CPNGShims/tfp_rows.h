#ifndef TFP_ROWS_H
#define TFP_ROWS_H

#include "tfp_png.h"

enum { TFP_FILTER_COUNT = 5 };

// How rows are filtered before they are compressed (PNG, section 9).
typedef enum tfp_filtering {
    // The filter with the number of the value, for every row.
    TFP_FILTER_NONE = 0,
    TFP_FILTER_SUB = 1,
    TFP_FILTER_UP = 2,
    TFP_FILTER_AVERAGE = 3,
    TFP_FILTER_PAETH = 4,
    // For each row, the filter with the smallest sum of absolute differences (PNG, section 12.7).
    TFP_FILTER_SMALLEST_SUM = 5,
    // For each row, the filter with the fewest different pairs of adjacent bytes.
    TFP_FILTER_FEWEST_PAIRS = 6,
} tfp_filtering;

// The rows of a picture in the form of the file: packed, with the most significant byte of a sample first.
typedef struct tfp_rows {
    const uint8_t *pixels;
    const tfp_picture *picture;
    uint32_t bit_depth;
    int is_interlaced;
    tfp_filtering filtering;
    // The distance to the corresponding byte of the pixel on the left: at least 1.
    size_t step;
    // The largest number of bytes of a row, without its filter byte.
    size_t capacity;
    // One block for everything below: the row, the row above, and a filtered row for each filter. The rows have `step`
    // zeros on their left, and the filtered rows have their filter byte there.
    uint8_t *memory;
    uint8_t *row;
    uint8_t *above;
    uint8_t *filtered[TFP_FILTER_COUNT];
    // The pairs that a row has, as bits.
    uint8_t *pairs;
} tfp_rows;

// Prepares the rows of a picture. Returns 0 if there is no memory. The caller frees `memory`.
int tfp_rows_start(tfp_rows *rows, const void *pixels, const tfp_picture *picture, const tfp_writing *writing);

// The number of passes: 7 if the picture is interlaced, otherwise 1.
int tfp_pass_count(const tfp_rows *rows);

// The number of rows and of bytes per row, without the filter byte, of a pass. Both are 0 for a pass without pixels.
uint32_t tfp_pass_height(const tfp_rows *rows, int pass);
size_t tfp_pass_row_size(const tfp_rows *rows, int pass);

// Returns the filtered row of a pass, which begins with its filter byte. Rows must be requested from the top, unless
// `is_first` says that the row above has to be loaded again.
const uint8_t *tfp_filtered_row(tfp_rows *rows, int pass, uint32_t y, int is_first);

#endif
