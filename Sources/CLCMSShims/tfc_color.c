#include "tfc_color.h"

#include <lcms2.h>
#include <lcms2_plugin.h>
#include <stdlib.h>
#include <string.h>

// The memory that a profile may still use. Each block begins with its size.
typedef struct tfc_budget {
    size_t left;
    int is_exhausted;
} tfc_budget;

struct tfc_transform {
    tfc_budget budget;
    cmsContext context;
    cmsHTRANSFORM transform;
    // For gray with 8 bits, the number of samples of a pixel, and what each sample becomes. Otherwise, the number is 0.
    uint32_t gray_step;
    uint8_t grays[256];
};

enum { HEADER_SIZE = 16 };

// Returns the budget, or NULL while the context itself is created or deleted, when it has no user data.
static tfc_budget *budget_of(cmsContext context) {
    return cmsGetContextUserData(context);
}

static void *allocate(cmsContext context, cmsUInt32Number size) {
    tfc_budget *budget = budget_of(context);
    if (budget && size > budget->left) {
        budget->is_exhausted = 1;
        return NULL;
    }
    size_t *block = malloc((size_t)size + HEADER_SIZE);
    if (!block) return NULL;
    *block = size;
    if (budget) budget->left -= size;
    return (char *)block + HEADER_SIZE;
}

static void deallocate(cmsContext context, void *address) {
    if (!address) return;
    size_t *block = (size_t *)((char *)address - HEADER_SIZE);
    tfc_budget *budget = budget_of(context);
    if (budget) budget->left += *block;
    free(block);
}

static void *reallocate(cmsContext context, void *address, cmsUInt32Number size) {
    void *result = allocate(context, size);
    if (!result || !address) return result;
    size_t old = *(size_t *)((char *)address - HEADER_SIZE);
    memcpy(result, address, old < size ? old : size);
    deallocate(context, address);
    return result;
}

static cmsPluginMemHandler memory = {
    .base = {cmsPluginMagicNumber, 2000, cmsPluginMemHandlerSig, NULL},
    .MallocPtr = allocate,
    .FreePtr = deallocate,
    .ReallocPtr = reallocate,
};

static void ignore_message(cmsContext context, cmsUInt32Number code, const char *text) {
    (void)context;
    (void)code;
    (void)text;
}

static tfc_transform *start(size_t max_memory) {
    tfc_transform *result = calloc(1, sizeof *result);
    if (!result) return NULL;
    result->budget.left = max_memory;
    result->context = cmsCreateContext(&memory, &result->budget);
    if (!result->context) {
        free(result);
        return NULL;
    }
    cmsSetLogErrorHandlerTHR(result->context, ignore_message);
    return result;
}

void tfc_free(tfc_transform *transform) {
    if (!transform) return;
    if (transform->transform) cmsDeleteTransform(transform->transform);
    cmsDeleteContext(transform->context);
    free(transform);
}

static cmsUInt32Number format_of(const tfc_layout *layout, uint32_t colors) {
    static const cmsUInt32Number spaces[] = {0, PT_GRAY, 0, PT_RGB, PT_CMYK};
    return COLORSPACE_SH(spaces[colors]) | CHANNELS_SH(colors) | BYTES_SH(layout->bits / 8)
        | EXTRA_SH(layout->has_alpha ? 1 : 0);
}

static cmsColorSpaceSignature space_of(const tfc_layout *layout) {
    return layout->colors == 1 ? cmsSigGrayData : layout->colors == 3 ? cmsSigRgbData : cmsSigCmykData;
}

static int is_consistent(const tfc_layout *layout) {
    int is_known = layout->colors == 1 || layout->colors == 3 || layout->colors == 4;
    return is_known && (layout->bits == 8 || layout->bits == 16) && !(layout->colors == 4 && layout->has_alpha);
}

// Returns sRGB, or a gray profile with the curve of sRGB.
static cmsHPROFILE open_target(cmsContext context, int is_gray) {
    if (!is_gray) return cmsCreate_sRGBProfileTHR(context);
    cmsFloat64Number parameters[] = {2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045};
    cmsToneCurve *curve = cmsBuildParametricToneCurve(context, 4, parameters);
    cmsHPROFILE result = curve ? cmsCreateGrayProfileTHR(context, cmsD50_xyY(), curve) : NULL;
    cmsFreeToneCurve(curve);
    return result;
}

// Whether colors are defined by curves and a matrix rather than by a pipeline, which can have any number of stages.
static int has_curves(cmsHPROFILE profile) {
    return cmsIsMatrixShaper(profile) && !cmsIsTag(profile, cmsSigAToB0Tag) && !cmsIsTag(profile, cmsSigDToB0Tag);
}

// Converts every sample once, because that is faster than converting each pixel.
static void fill_grays(tfc_transform *session, const tfc_layout *layout) {
    for (uint32_t sample = 0; sample < 256; sample++) session->grays[sample] = (uint8_t)sample;
    cmsDoTransform(session->transform, session->grays, session->grays, 256);
    session->gray_step = layout->has_alpha ? 2 : 1;
}

// Creates the transform from a profile, which is closed.
static tfc_code finish(tfc_transform *session, cmsHPROFILE source, const tfc_layout *layout, tfc_transform **result) {
    cmsHPROFILE target = source ? open_target(session->context, layout->colors == 1) : NULL;
    int has_grays = layout->colors == 1 && layout->bits == 8;
    tfc_layout pixel = *layout;
    if (has_grays) pixel.has_alpha = 0;
    // Little CMS would replace curves by interpolation between 33 samples, which makes shadows wrong by up to 20 of 255.
    // For RGB with 8 bits, it has a better way.
    int is_rough = layout->colors == 1 || layout->bits == 16;
    cmsUInt32Number precision = source && is_rough && has_curves(source) ? cmsFLAGS_NOOPTIMIZE : 0;
    if (target) {
        session->transform = cmsCreateTransformTHR(
            session->context, source, format_of(&pixel, pixel.colors), target,
            format_of(&pixel, pixel.colors == 1 ? 1 : 3), INTENT_PERCEPTUAL,
            cmsFLAGS_COPY_ALPHA | cmsFLAGS_BLACKPOINTCOMPENSATION | precision
        );
    }
    if (session->transform && has_grays) fill_grays(session, layout);
    if (target) cmsCloseProfile(target);
    if (source) cmsCloseProfile(source);
    if (session->transform) {
        *result = session;
        return TFC_OK;
    }
    tfc_code code = session->budget.is_exhausted ? TFC_NO_MEMORY : TFC_UNUSABLE;
    tfc_free(session);
    return code;
}

// Returns whether a profile describes the colors of a device, with the samples of the layout.
static int fits(cmsHPROFILE profile, const tfc_layout *layout) {
    cmsProfileClassSignature kind = cmsGetDeviceClass(profile);
    int is_device = kind == cmsSigInputClass || kind == cmsSigDisplayClass || kind == cmsSigOutputClass
        || kind == cmsSigColorSpaceClass;
    return is_device && cmsGetColorSpace(profile) == space_of(layout);
}

tfc_code tfc_open_profile(
    const void *bytes,
    size_t count,
    const tfc_layout *layout,
    size_t max_memory,
    tfc_transform **result
) {
    *result = NULL;
    if (!is_consistent(layout) || count > UINT32_MAX) return TFC_UNUSABLE;
    tfc_transform *session = start(max_memory);
    if (!session) return TFC_NO_MEMORY;
    cmsHPROFILE source = cmsOpenProfileFromMemTHR(session->context, bytes, (cmsUInt32Number)count);
    if (source && !fits(source, layout)) {
        cmsCloseProfile(source);
        source = NULL;
    }
    return finish(session, source, layout, result);
}

static cmsHPROFILE open_colors(cmsContext context, const tfc_colors *colors, int is_gray, cmsToneCurve *curve) {
    cmsCIExyY white = {colors->white[0], colors->white[1], 1};
    // White is white: gray has no other color that could be adapted.
    if (is_gray) return cmsCreateGrayProfileTHR(context, cmsD50_xyY(), curve);
    cmsCIExyYTRIPLE primaries = {
        {colors->red[0], colors->red[1], 1},
        {colors->green[0], colors->green[1], 1},
        {colors->blue[0], colors->blue[1], 1},
    };
    cmsToneCurve *curves[] = {curve, curve, curve};
    return cmsCreateRGBProfileTHR(context, &white, &primaries, curves);
}

tfc_code tfc_open_colors(const tfc_colors *colors, const tfc_layout *layout, tfc_transform **result) {
    *result = NULL;
    if (!is_consistent(layout) || layout->colors == 4 || colors->curve_count < 2 || colors->curve_count > 65536) {
        return TFC_UNUSABLE;
    }
    tfc_transform *session = start(SIZE_MAX);
    if (!session) return TFC_NO_MEMORY;
    cmsToneCurve *curve = cmsBuildTabulatedToneCurveFloat(
        session->context, (cmsUInt32Number)colors->curve_count, colors->curve
    );
    cmsHPROFILE source = curve ? open_colors(session->context, colors, layout->colors == 1, curve) : NULL;
    cmsFreeToneCurve(curve);
    return finish(session, source, layout, result);
}

static void convert_grays(const tfc_transform *transform, const uint8_t *source, uint8_t *target, uint32_t count) {
    uint32_t step = transform->gray_step;
    for (uint32_t pixel = 0; pixel < count; pixel++) {
        target[0] = transform->grays[source[0]];
        if (step == 2) target[1] = source[1];
        source += step;
        target += step;
    }
}

void tfc_convert(tfc_transform *transform, const void *source, void *target, uint32_t count) {
    if (transform->gray_step) {
        convert_grays(transform, source, target, count);
    } else {
        cmsDoTransform(transform->transform, source, target, count);
    }
}
