// Runs the image shims over the files of a folder and over mutations of them, for the sanitizers to watch.
//
//     image-shims ROUNDS [PATH…]
//
// Every file, and a few pictures of its own, is decoded, and what decodes is encoded again, as it is and in ROUNDS damaged
// forms. PNG chunks get their right checksums back after most damage, so that it reaches further than the checksum. Color
// profiles of its own, and damaged forms of them, convert pixels.
// Exits with 1 if a shim breaks its word: a result without TFP_OK, or a failure without a message.

#include "tfc_color.h"
#include "tfj_jpeg.h"
#include "tfp_png.h"
#include "tfw_webp.h"

#include <ftw.h>
#include <lcms2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Encoding a large picture as WebP takes seconds with the sanitizers.
enum { LARGEST_FILE = 1 << 20, MOST_PIXELS = 1 << 20, MOST_ENCODED_PIXELS = 1 << 12, PALETTE_COUNT = 2 };

static unsigned long rounds = 100;
static unsigned long decoded_count, refused_count, broken_count;
static uint64_t random_state = 1;

static uint32_t next_random(uint32_t bound) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)((random_state >> 16) % bound);
}

static uint32_t big_endian(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void expect(int holds, const char *what) {
    if (holds) return;
    broken_count += 1;
    fprintf(stderr, "broken: %s\n", what);
}

static void count_outcome(int code, const char *message) {
    expect(code == 0 || message[0] != 0 || code == TFP_NO_MEMORY, "a failure says what it is");
    if (code == 0) {
        decoded_count += 1;
    } else {
        refused_count += 1;
    }
}

static void encode_png(const void *pixels, const tfp_picture *picture) {
    static const uint8_t palette[PALETTE_COUNT * 3] = {0, 0, 0, 255, 255, 255};
    static const uint8_t types[] = {0, 0, 4, 2, 6};
    tfp_chunk chunk = {{'t', 'E', 'X', 't'}, "k\0text", 6};
    tfp_writing writing = {
        .color_type = types[picture->channels], .bit_depth = picture->bits, .compression = (int)next_random(7),
        .filter = next_random(TFP_FILTER_AUTOMATIC + 1), .is_interlaced = (int)next_random(2), .palette = palette, .palette_count = PALETTE_COUNT,
        .chunks = &chunk, .chunk_count = 1,
    };
    tfp_buffer buffer;
    tfp_report report;
    tfp_layout layouts[] = {{pixels, *picture, writing}, {pixels, *picture, writing}};
    layouts[1].writing.chunk_count = 0;
    tfp_code code = tfp_encode(layouts, 1 + next_random(2), &buffer, &report);
    expect(code == TFP_OK && buffer.count > 0, "decoded pixels are encoded as PNG");
    tfp_free(&buffer);
}

// Reads a row at a time into a block of the exact size, and stops in the middle of some pictures.
static void read_png_rows(
    const uint8_t *bytes, size_t count, const tfp_picture *picture, const tfp_limits *limits
) {
    tfp_reader *reader;
    tfp_report report;
    void *row = malloc(picture->row_stride);
    tfp_code code = tfp_open(bytes, count, picture, limits, &reader, &report);
    count_outcome(code, tfp_message(&report));
    uint32_t rows = next_random(8) ? picture->height : next_random(picture->height);
    for (uint32_t y = 0; row && y < rows && code == TFP_OK; y++) {
        code = tfp_read_row(reader, row, &report);
        if (code != TFP_OK) count_outcome(code, tfp_message(&report));
    }
    tfp_close(reader);
    free(row);
}

static void run_png(const uint8_t *bytes, size_t count) {
    static const uint8_t channels_of_type[] = {1, 0, 3, 3, 2, 0, 4};
    if (count < 33 || memcmp(bytes, "\x89PNG\r\n\x1a\n", 8) != 0) return;
    uint32_t width = big_endian(bytes + 16), height = big_endian(bytes + 20);
    if (width == 0 || height == 0 || width > MOST_PIXELS / height || bytes[25] > 6) return;
    uint32_t channels = channels_of_type[bytes[25]];
    if (channels == 0) return;
    // Whether a transparency chunk adds alpha is not known here, so both are tried.
    for (uint32_t extra = 0; extra <= channels % 2; extra++) {
        tfp_picture picture = {width, height, channels + extra, bytes[24] == 16 ? 16 : 8, 0};
        picture.row_stride = (size_t)width * picture.channels * (picture.bits / 8);
        tfp_limits limits = {width, height, 1 << 20, 5000};
        void *pixels = malloc(picture.row_stride * height);
        tfp_report report;
        size_t rows;
        if (!pixels) return;
        tfp_code code = tfp_decode(bytes, count, &picture, &limits, (int)next_random(2), pixels, &rows, &report);
        count_outcome(code, tfp_message(&report));
        if (code == TFP_OK) encode_png(pixels, &picture);
        read_png_rows(bytes, count, &picture, &limits);
        free(pixels);
    }
    for (size_t at = 8; at + 12 <= count;) {
        size_t length = big_endian(bytes + at);
        if (length > count - at - 12) break;
        tfp_buffer buffer;
        size_t produced;
        if (tfp_inflate(bytes + at + 8, length, 1 << 16, &buffer, &produced) == TFP_OK) tfp_free(&buffer);
        at += 12 + length;
    }
}

static void encode_jpeg(const void *pixels, const tfj_picture *picture) {
    tfj_marker marker = {0xFE, "text", 4};
    tfj_writing writing = {
        .quality = (int)next_random(101), .horizontal_subsampling = 1 + (int)next_random(2),
        .vertical_subsampling = 1 + (int)next_random(2), .is_progressive = (int)next_random(2),
        .is_optimized = (int)next_random(2), .density_x = 1, .density_y = 1, .markers = &marker, .marker_count = 1,
    };
    tfj_buffer buffer;
    tfj_report report;
    tfj_code code = tfj_encode(pixels, picture, &writing, &buffer, &report);
    expect(code == TFJ_OK && buffer.count > 0, "decoded pixels are encoded as JPEG");
    tfj_free(&buffer);
}

// Turns the file itself, in one of the eight ways.
static void rewrite_jpeg(const uint8_t *bytes, size_t count, const tfj_limits *limits) {
    tfj_turn turn = {(int)next_random(2), (int)next_random(2), (int)next_random(2)};
    tfj_marker marker = {0xFE, "text", 4};
    tfj_writing writing = {.is_progressive = (int)next_random(2), .density_x = 1, .density_y = 1,
                           .markers = &marker, .marker_count = 1};
    tfj_buffer buffer;
    tfj_report report;
    tfj_code code = tfj_rewrite(bytes, count, limits, &turn, &writing, &buffer, &report);
    count_outcome(code, tfj_message(&report));
    expect((code == TFJ_OK) == (buffer.count > 0), "a file is rewritten or refused");
    tfj_free(&buffer);
}

// Finds the frame header, wherever it is: a driver need not be strict.
static const uint8_t *find_frame(const uint8_t *bytes, size_t count) {
    for (size_t at = 2; at + 10 < count; at++) {
        if (bytes[at] == 0xFF && bytes[at + 1] >= 0xC0 && bytes[at + 1] <= 0xCA && bytes[at + 1] != 0xC4
            && bytes[at + 1] != 0xC8) {
            return bytes + at;
        }
    }
    return NULL;
}

static void run_jpeg(const uint8_t *bytes, size_t count) {
    const uint8_t *frame = count > 12 && bytes[0] == 0xFF && bytes[1] == 0xD8 ? find_frame(bytes, count) : NULL;
    if (!frame) return;
    uint32_t height = (uint32_t)frame[5] << 8 | frame[6], width = (uint32_t)frame[7] << 8 | frame[8];
    if (width == 0 || height == 0 || width > MOST_PIXELS / height) return;
    uint32_t eighths = 1 + next_random(8);
    tfj_picture picture = {(width * eighths + 7) / 8, (height * eighths + 7) / 8, frame[9], 0};
    if (picture.channels != 1 && picture.channels != 3 && picture.channels != 4) return;
    picture.row_stride = (size_t)picture.width * picture.channels;
    tfj_limits limits = {20, 1 << 26, 5000};
    tfj_reading reading = {eighths, (int)next_random(2)};
    void *pixels = malloc(picture.row_stride * picture.height);
    tfj_report report;
    size_t rows;
    if (!pixels) return;
    tfj_code code = tfj_decode(bytes, count, &picture, &limits, &reading, pixels, &rows, &report);
    count_outcome(code, tfj_message(&report));
    if (code == TFJ_OK) encode_jpeg(pixels, &picture);
    free(pixels);
    rewrite_jpeg(bytes, count, &limits);
}

static void encode_webp(const void *pixels, const tfw_picture *picture) {
    tfw_writing writing = {(int)next_random(101), (int)next_random(4), (int)next_random(2)};
    tfw_buffer buffer;
    tfw_code code = tfw_encode(pixels, picture, &writing, &buffer);
    expect(code == TFW_OK && buffer.count > 0, "decoded pixels are encoded as WebP");
    tfw_free(&buffer);
}

// Reads the size from the first chunk, as the caller of the shim does.
static int webp_size(const uint8_t *bytes, uint32_t *width, uint32_t *height) {
    if (memcmp(bytes + 12, "VP8X", 4) == 0) {
        *width = (bytes[24] | (uint32_t)bytes[25] << 8 | (uint32_t)bytes[26] << 16) + 1;
        *height = (bytes[27] | (uint32_t)bytes[28] << 8 | (uint32_t)bytes[29] << 16) + 1;
    } else if (memcmp(bytes + 12, "VP8L", 4) == 0) {
        uint32_t bits = bytes[21] | (uint32_t)bytes[22] << 8 | (uint32_t)bytes[23] << 16 | (uint32_t)bytes[24] << 24;
        *width = (bits & 0x3FFF) + 1;
        *height = (bits >> 14 & 0x3FFF) + 1;
    } else {
        *width = (bytes[26] | (uint32_t)bytes[27] << 8) & 0x3FFF;
        *height = (bytes[28] | (uint32_t)bytes[29] << 8) & 0x3FFF;
    }
    return *width > 0 && *height > 0 && *width <= MOST_PIXELS / *height;
}

static void run_webp(const uint8_t *bytes, size_t count) {
    tfw_picture picture = {.channels = 3 + next_random(2)};
    if (count < 32 || memcmp(bytes, "RIFF", 4) != 0 || !webp_size(bytes, &picture.width, &picture.height)) return;
    picture.row_stride = (size_t)picture.width * picture.channels;
    void *pixels = calloc(picture.height, picture.row_stride);
    if (!pixels) return;
    tfw_code code = tfw_decode(bytes, count, &picture, 5000, pixels);
    count_outcome(code, "the shim has no messages");
    if (code == TFW_OK && picture.width * picture.height <= MOST_ENCODED_PIXELS) encode_webp(pixels, &picture);
    free(pixels);
}

// Converts pixels with a profile, whatever it is for.
static void run_profile(const uint8_t *bytes, size_t count) {
    static const uint32_t colors[] = {1, 3, 4};
    static uint8_t pixels[64 * 10];
    if (count < 132 || memcmp(bytes + 36, "acsp", 4) != 0) return;
    for (uint32_t index = 0; index < 3; index++) {
        tfc_layout layout = {colors[index], colors[index] != 4 && next_random(2), next_random(2) ? 16 : 8};
        // The pixels are only as many as fit, so that a write beyond them is seen.
        size_t size = 64 * (layout.colors + (layout.has_alpha ? 1 : 0)) * (layout.bits / 8);
        uint8_t *target = malloc(size);
        tfc_transform *transform;
        if (!target) return;
        tfc_code code = tfc_open_profile(bytes, count, &layout, 1 << 26, &transform);
        expect((code == TFC_OK) == (transform != NULL), "a transform comes with success only");
        if (code == TFC_OK) {
            decoded_count += 1;
            for (size_t at = 0; at < sizeof pixels; at++) pixels[at] = (uint8_t)next_random(256);
            tfc_convert(transform, pixels, target, 64);
        } else {
            refused_count += 1;
        }
        tfc_free(transform);
        free(target);
    }
}

static void run(const uint8_t *bytes, size_t count) {
    run_png(bytes, count);
    run_jpeg(bytes, count);
    run_webp(bytes, count);
    run_profile(bytes, count);
}

static void mend_checksums(uint8_t *bytes, size_t count) {
    for (size_t at = 8; at + 12 <= count;) {
        size_t length = big_endian(bytes + at);
        if (length > count - at - 12) return;
        uint32_t crc = tfp_crc(bytes + at + 4, length + 4);
        for (int index = 0; index < 4; index++) bytes[at + 8 + length + (size_t)index] = (uint8_t)(crc >> (24 - 8 * index));
        at += 12 + length;
    }
}

static size_t damage(uint8_t *bytes, size_t count) {
    for (uint32_t change = 0; change <= next_random(4) && count > 1; change++) {
        size_t place = next_random((uint32_t)count);
        switch (next_random(4)) {
        case 0: bytes[place] ^= (uint8_t)(1u << next_random(8)); break;
        case 1: bytes[place] = (uint8_t)next_random(256); break;
        case 2: memmove(bytes + place, bytes + place + 1, count - place - 1); count -= 1; break;
        default: bytes[place] = next_random(2) ? 0xFF : 0; break;
        }
    }
    if (next_random(20) == 0) count = next_random((uint32_t)count) + 1;
    if (next_random(4) != 0 && bytes[0] == 0x89) mend_checksums(bytes, count);
    return count;
}

static void run_all(const uint8_t *bytes, size_t count) {
    run(bytes, count);
    for (unsigned long round = 0; round < rounds; round++) {
        // A block of the exact size, so that a read beyond it is seen.
        uint8_t *copy = malloc(count);
        if (!copy) return;
        memcpy(copy, bytes, count);
        size_t left = damage(copy, count);
        uint8_t *exact = realloc(copy, left);
        run(exact ? exact : copy, left);
        free(exact ? exact : copy);
    }
}

static int visit(const char *path, const struct stat *status, int kind, struct FTW *place) {
    (void)place;
    if (kind != FTW_F || status->st_size <= 1 || status->st_size > LARGEST_FILE) return 0;
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = malloc((size_t)status->st_size);
    if (file && bytes && fread(bytes, 1, (size_t)status->st_size, file) == (size_t)status->st_size) {
        run_all(bytes, (size_t)status->st_size);
    }
    free(bytes);
    if (file) fclose(file);
    return 0;
}

// Pictures of every type that the shims write, so that there is something to damage without any file.
static void run_own_pictures(void) {
    enum { SIDE = 19 };
    static uint8_t pixels[SIDE * SIDE * 8], palette[48];
    for (size_t at = 0; at < sizeof pixels; at++) pixels[at] = (uint8_t)(at / 8 + next_random(16));
    static const uint32_t kinds[][3] = {{0, 1, 1}, {0, 8, 1}, {0, 16, 1}, {2, 8, 3}, {2, 16, 3}, {3, 4, 1},
                                        {4, 8, 2}, {6, 8, 4}, {6, 16, 4}};
    for (size_t kind = 0; kind < 2 * sizeof kinds / sizeof kinds[0]; kind++) {
        const uint32_t *type = kinds[kind / 2];
        tfp_picture picture = {SIDE, SIDE, type[2], type[1] == 16 ? 16 : 8, SIDE * 8};
        tfp_writing writing = {.color_type = type[0], .bit_depth = type[1], .compression = 6,
                               .filter = TFP_FILTER_AUTOMATIC, .is_interlaced = (int)(kind % 2), .palette = palette, .palette_count = type[1] == 4 ? 16 : 2,
                               .palette_alpha = palette, .palette_alpha_count = 2};
        tfp_buffer buffer;
        tfp_report report;
        tfp_layout layout = {pixels, picture, writing};
        tfp_code code = tfp_encode(&layout, 1, &buffer, &report);
        expect(code == TFP_OK, "a picture of ours is encoded as PNG");
        if (code == TFP_OK) run_all(buffer.bytes, buffer.count);
        tfp_free(&buffer);
    }
    for (uint32_t kind = 0; kind < 8; kind++) {
        static const uint32_t channels[] = {1, 3, 4, 3};
        tfj_picture picture = {SIDE, SIDE, channels[kind / 2], SIDE * 8};
        tfj_writing writing = {.quality = 80, .horizontal_subsampling = 2, .vertical_subsampling = 1 + (int)kind / 6,
                               .is_progressive = (int)(kind % 2), .density_x = 1, .density_y = 1};
        tfj_buffer buffer;
        tfj_report report;
        tfj_code code = tfj_encode(pixels, &picture, &writing, &buffer, &report);
        expect(code == TFJ_OK, "a picture of ours is encoded as JPEG");
        if (code == TFJ_OK) run_all(buffer.bytes, buffer.count);
        tfj_free(&buffer);
    }
    for (uint32_t kind = 0; kind < 6; kind++) {
        tfw_picture picture = {SIDE, SIDE, 3 + kind % 2, SIDE * 8};
        tfw_writing writing = {.quality = 30 * (int)kind / 2, .effort = 2 * (int)kind / 2, .is_lossless = kind / 2 == 1};
        tfw_buffer buffer;
        tfw_code code = tfw_encode(pixels, &picture, &writing, &buffer);
        expect(code == TFW_OK, "a picture of ours is encoded as WebP");
        if (code == TFW_OK) run_all(buffer.bytes, buffer.count);
        tfw_free(&buffer);
    }
}

static void run_and_close(cmsHPROFILE profile) {
    cmsUInt32Number size = 0;
    uint8_t *bytes = cmsSaveProfileToMem(profile, NULL, &size) ? malloc(size) : NULL;
    expect(bytes && cmsSaveProfileToMem(profile, bytes, &size), "a profile of ours is written");
    if (bytes) run_all(bytes, size);
    free(bytes);
    cmsCloseProfile(profile);
}

static int set_node(const cmsUInt16Number *in, cmsUInt16Number *out, void *data) {
    (void)data;
    for (int index = 0; index < 3; index++) out[index] = (cmsUInt16Number)(65535 - in[index] / 2 - in[3] / 3);
    return TRUE;
}

// A table of a few nodes for four inks.
static cmsHPROFILE create_press(void) {
    cmsHPROFILE result = cmsCreateProfilePlaceholder(NULL);
    cmsPipeline *pipeline = cmsPipelineAlloc(NULL, 4, 3);
    cmsStage *table = cmsStageAllocCLut16bit(NULL, 3, 4, 3, NULL);
    cmsStageSampleCLut16bit(table, set_node, NULL, 0);
    cmsPipelineInsertStage(pipeline, cmsAT_BEGIN, table);
    cmsSetDeviceClass(result, cmsSigOutputClass);
    cmsSetColorSpace(result, cmsSigCmykData);
    cmsSetPCS(result, cmsSigLabData);
    cmsSetProfileVersion(result, 2.4);
    cmsWriteTag(result, cmsSigAToB0Tag, pipeline);
    cmsPipelineFree(pipeline);
    return result;
}

// Profiles of every kind that is converted.
static void run_own_profiles(void) {
    cmsToneCurve *curve = cmsBuildGamma(NULL, 1.8);
    run_and_close(cmsCreate_sRGBProfile());
    run_and_close(cmsCreateGrayProfile(cmsD50_xyY(), curve));
    run_and_close(create_press());
    cmsFreeToneCurve(curve);
}

int main(int count, char **arguments) {
    if (count < 2) {
        fprintf(stderr, "usage: image-shims ROUNDS [PATH…]\n");
        return 64;
    }
    rounds = strtoul(arguments[1], NULL, 10);
    run_own_pictures();
    run_own_profiles();
    for (int index = 2; index < count; index++) {
        if (nftw(arguments[index], visit, 16, FTW_PHYS) != 0) {
            fprintf(stderr, "cannot read %s\n", arguments[index]);
            return 66;
        }
    }
    printf("image shims: %lu decoded, %lu refused, %lu broken\n", decoded_count, refused_count, broken_count);
    return broken_count == 0 && decoded_count > 0 ? 0 : 1;
}
