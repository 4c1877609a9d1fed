#ifndef TFP_CHOICE_H
#define TFP_CHOICE_H

#include "tfp_png.h"
#include "tfp_rows.h"

struct libdeflate_compressor;

// A way to compress a picture.
typedef struct tfp_setting {
    tfp_filtering filtering;
    // Whether zlib looks only for runs of a byte, which takes half of the time.
    int has_only_runs;
    // Thousandths of the size that a faster setting is worth, or that a slower one must save.
    int handicap;
} tfp_setting;

// The layout of a picture and the way to compress it that make the smallest file.
typedef struct tfp_choice {
    const tfp_layout *layout;
    tfp_setting setting;
    // The IDAT chunks, unless only a sample of the rows was compressed.
    tfp_buffer stream;
    int is_complete;
} tfp_choice;

// Chooses from at least one layout of the same picture. The caller frees the stream with tfp_free, even after a failure.
tfp_code tfp_choose(
    const tfp_layout *layouts, size_t count, struct libdeflate_compressor *compressor, tfp_choice *choice
);

// Appends the IDAT chunks of a choice.
tfp_code tfp_append_choice(const tfp_choice *choice, struct libdeflate_compressor *compressor, tfp_buffer *result);

#endif
