#ifndef TFC_COLOR_H
#define TFC_COLOR_H

// Functions that wrap Little CMS: conversions of pixels to sRGB. They never print, and profiles from files can use
// only a limited amount of memory.
//
// Functions for different transforms can be called at the same time. Pointers are used only during the call.

#include <stddef.h>
#include <stdint.h>

#if !defined(__clang__)
#define _Nonnull
#define _Nullable
#endif

#ifdef __cplusplus
extern "C" {
#endif

// The result code of a function. Only TFC_OK comes with a result.
typedef enum tfc_code {
    TFC_OK = 0,
    // The profile is damaged, or it is not for pixels of this kind.
    TFC_UNUSABLE = 1,
    // The system is out of memory, or the profile needs more memory than allowed.
    TFC_NO_MEMORY = 2,
} tfc_code;

// The layout of a pixel.
typedef struct tfc_layout {
    // The number of color samples: 1 for gray, 3 for RGB, 4 for CMYK, where 0 means no ink.
    uint32_t colors;
    int has_alpha;
    // Bits per sample: 8 or 16, in the byte order of the machine.
    uint32_t bits;
} tfc_layout;

// Colors that are defined by numbers.
typedef struct tfc_colors {
    // The chromaticities of white, red, green, and blue, as x and y. Gray uses only white.
    double white[2];
    double red[2];
    double green[2];
    double blue[2];
    // The light from 0 to 1 of curve_count samples at equal distances, at least 2.
    const float *_Nonnull curve;
    size_t curve_count;
} tfc_colors;

typedef struct tfc_transform tfc_transform;

// Creates a transform from the colors of an ICC profile to sRGB, with the perceptual intent and black point
// compensation. Gray stays gray, with the curve of sRGB. RGB and CMYK become RGB. The caller frees `result` with tfc_free.
tfc_code tfc_open_profile(
    const void *_Nonnull bytes,
    size_t count,
    const tfc_layout *_Nonnull layout,
    size_t max_memory,
    tfc_transform *_Nullable *_Nonnull result
);

// Creates a transform from numbers to sRGB, for gray or RGB. The caller frees `result` with tfc_free.
tfc_code tfc_open_colors(
    const tfc_colors *_Nonnull colors,
    const tfc_layout *_Nonnull layout,
    tfc_transform *_Nullable *_Nonnull result
);

// Converts pixels. Alpha is copied. `source` and `target` may be the same, unless CMYK becomes RGB.
void tfc_convert(
    tfc_transform *_Nonnull transform,
    const void *_Nonnull source,
    void *_Nonnull target,
    uint32_t count
);

// Frees a transform.
void tfc_free(tfc_transform *_Nullable transform);

#ifdef __cplusplus
}
#endif

#endif
