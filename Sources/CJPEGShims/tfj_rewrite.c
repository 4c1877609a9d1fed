#include "tfj_internal.h"

#include <limits.h>
#include <string.h>

typedef struct tfj_rewriter {
    // The first member, so that the hooks find it through the client data of both objects.
    tfj_session session;
    struct jpeg_decompress_struct source;
    struct jpeg_compress_struct target;
    struct jpeg_progress_mgr progress;
    tfj_output output;
    const uint8_t *bytes;
    size_t count;
    const tfj_limits *limits;
    const tfj_turn *turn;
    const tfj_writing *writing;
} tfj_rewriter;

// libjpeg calls this after every few rows of each scan.
static void watch(j_common_ptr common) {
    tfj_rewriter *rewriter = common->client_data;
    if ((uint32_t)rewriter->source.input_scan_number > rewriter->limits->max_scans) {
        tfj_raise(&rewriter->session, TFJ_TOO_LARGE, "the file has too many scans");
    }
    tfj_check_time(&rewriter->session);
}

static void swap_u16(UINT16 *left, UINT16 *right) {
    UINT16 value = *left;
    *left = *right;
    *right = value;
}

// Exchanges rows and columns in everything that describes the picture.
static void transpose_description(struct jpeg_compress_struct *target) {
    JDIMENSION width = target->image_width;
    target->image_width = target->image_height;
    target->image_height = width;
    for (int index = 0; index < target->num_components; index++) {
        jpeg_component_info *component = &target->comp_info[index];
        int factor = component->h_samp_factor;
        component->h_samp_factor = component->v_samp_factor;
        component->v_samp_factor = factor;
    }
    for (int index = 0; index < NUM_QUANT_TBLS; index++) {
        JQUANT_TBL *table = target->quant_tbl_ptrs[index];
        if (!table) continue;
        for (int row = 0; row < DCTSIZE; row++) {
            for (int column = 0; column < row; column++) {
                swap_u16(&table->quantval[row * DCTSIZE + column], &table->quantval[column * DCTSIZE + row]);
            }
        }
    }
}

// Copies the coefficients of a block. A mirrored cosine of an odd frequency has the opposite sign.
static void turn_block(const JCOEF *source, JCOEF *target, const tfj_turn *turn) {
    for (int row = 0; row < DCTSIZE; row++) {
        for (int column = 0; column < DCTSIZE; column++) {
            JCOEF value = source[turn->transposes ? column * DCTSIZE + row : row * DCTSIZE + column];
            int is_negated = ((turn->mirrors_columns & column) ^ (turn->mirrors_rows & row)) & 1;
            target[row * DCTSIZE + column] = is_negated ? (JCOEF)-value : value;
        }
    }
}

// The number of blocks of a component in the target.
typedef struct tfj_blocks {
    JDIMENSION across;
    JDIMENSION down;
} tfj_blocks;

static void turn_component(
    tfj_rewriter *rewriter, jvirt_barray_ptr source_blocks, jvirt_barray_ptr target_blocks, tfj_blocks blocks
) {
    j_common_ptr source = (j_common_ptr)&rewriter->source, target = (j_common_ptr)&rewriter->target;
    const tfj_turn *turn = rewriter->turn;
    for (JDIMENSION row = 0; row < blocks.down; row++) {
        JBLOCKARRAY to = target->mem->access_virt_barray(target, target_blocks, row, 1, TRUE);
        JDIMENSION y = turn->mirrors_rows ? blocks.down - 1 - row : row;
        tfj_check_time(&rewriter->session);
        for (JDIMENSION column = 0; column < blocks.across; column++) {
            JDIMENSION x = turn->mirrors_columns ? blocks.across - 1 - column : column;
            JDIMENSION from_row = turn->transposes ? x : y, from_column = turn->transposes ? y : x;
            JBLOCKARRAY from = source->mem->access_virt_barray(source, source_blocks, from_row, 1, FALSE);
            turn_block(from[0][from_column], to[0][column], turn);
        }
    }
}

static JDIMENSION round_up(JDIMENSION number, int factor) {
    JDIMENSION unit = (JDIMENSION)factor;
    return (number + unit - 1) / unit * unit;
}

static void require_whole_blocks(tfj_rewriter *rewriter, const jpeg_component_info *component, tfj_blocks blocks) {
    const struct jpeg_compress_struct *target = &rewriter->target;
    const struct jpeg_decompress_struct *source = &rewriter->source;
    int is_turned = rewriter->turn->transposes;
    uint64_t across = (uint64_t)(is_turned ? source->max_v_samp_factor : source->max_h_samp_factor) * DCTSIZE;
    uint64_t down = (uint64_t)(is_turned ? source->max_h_samp_factor : source->max_v_samp_factor) * DCTSIZE;
    int is_whole_across = blocks.across * across == (uint64_t)target->image_width * (unsigned)component->h_samp_factor;
    int is_whole_down = blocks.down * down == (uint64_t)target->image_height * (unsigned)component->v_samp_factor;
    if ((rewriter->turn->mirrors_columns && !is_whole_across) || (rewriter->turn->mirrors_rows && !is_whole_down)) {
        tfj_raise(&rewriter->session, TFJ_UNSUPPORTED, "the blocks at the edge are not complete");
    }
}

// Returns the turned coefficients, which libjpeg frees with the target.
static jvirt_barray_ptr *turned(tfj_rewriter *rewriter, jvirt_barray_ptr *source_blocks) {
    struct jpeg_compress_struct *target = &rewriter->target;
    j_common_ptr common = (j_common_ptr)target;
    size_t size = sizeof(jvirt_barray_ptr) * (size_t)target->num_components;
    jvirt_barray_ptr *target_blocks = target->mem->alloc_small(common, JPOOL_IMAGE, size);
    tfj_blocks blocks[MAX_COMPONENTS];
    for (int index = 0; index < target->num_components; index++) {
        const jpeg_component_info *from = &rewriter->source.comp_info[index], *to = &target->comp_info[index];
        blocks[index].across = rewriter->turn->transposes ? from->height_in_blocks : from->width_in_blocks;
        blocks[index].down = rewriter->turn->transposes ? from->width_in_blocks : from->height_in_blocks;
        require_whole_blocks(rewriter, to, blocks[index]);
        target_blocks[index] = target->mem->request_virt_barray(
            common, JPOOL_IMAGE, TRUE, round_up(blocks[index].across, to->h_samp_factor),
            round_up(blocks[index].down, to->v_samp_factor), (JDIMENSION)to->v_samp_factor
        );
    }
    target->mem->realize_virt_arrays(common);
    for (int index = 0; index < target->num_components; index++) {
        turn_component(rewriter, source_blocks[index], target_blocks[index], blocks[index]);
    }
    return target_blocks;
}

static void set_parameters(tfj_rewriter *rewriter) {
    struct jpeg_compress_struct *target = &rewriter->target;
    const tfj_writing *writing = rewriter->writing;
    jpeg_copy_critical_parameters(&rewriter->source, target);
    if (rewriter->turn->transposes) transpose_description(target);
    target->optimize_coding = TRUE;
    target->density_unit = (UINT8)writing->density_unit;
    target->X_density = (UINT16)writing->density_x;
    target->Y_density = (UINT16)writing->density_y;
    // Readers take the ink of a file with this marker as inverted.
    if (target->num_components == 4) target->write_Adobe_marker = rewriter->source.saw_Adobe_marker;
    if (writing->is_progressive) jpeg_simple_progression(target);
}

// Everything below may jump back to this frame. Its local variables are not changed after setjmp.
static tfj_code rewrite(tfj_rewriter *rewriter) {
    struct jpeg_decompress_struct *source = &rewriter->source;
    struct jpeg_compress_struct *target = &rewriter->target;
    if (setjmp(rewriter->session.jump)) return rewriter->session.code;
    jpeg_create_decompress(source);
    jpeg_create_compress(target);
    size_t memory = rewriter->limits->max_memory;
    source->mem->max_memory_to_use = memory > LONG_MAX ? LONG_MAX : (long)memory;
    source->progress = &rewriter->progress;
    target->dest = &rewriter->output.manager;
    jpeg_mem_src(source, rewriter->bytes, rewriter->count);
    jpeg_read_header(source, TRUE);
    jvirt_barray_ptr *blocks = jpeg_read_coefficients(source);
    set_parameters(rewriter);
    const tfj_turn *turn = rewriter->turn;
    int is_turned = turn->transposes || turn->mirrors_columns || turn->mirrors_rows;
    jpeg_write_coefficients(target, is_turned ? turned(rewriter, blocks) : blocks);
    for (size_t index = 0; index < rewriter->writing->marker_count; index++) {
        const tfj_marker *marker = &rewriter->writing->markers[index];
        jpeg_write_marker(target, (int)marker->code, marker->bytes, (unsigned int)marker->count);
    }
    jpeg_finish_compress(target);
    return TFJ_OK;
}

tfj_code tfj_rewrite(
    const void *bytes,
    size_t count,
    const tfj_limits *limits,
    const tfj_turn *turn,
    const tfj_writing *writing,
    tfj_buffer *result,
    tfj_report *report
) {
    tfj_rewriter rewriter;
    memset(&rewriter, 0, sizeof rewriter);
    memset(result, 0, sizeof *result);
    tfj_session_start(&rewriter.session, report, limits->max_milliseconds);
    for (size_t index = 0; index < writing->marker_count; index++) {
        if (writing->markers[index].count > 65533) return TFJ_MISUSE;
    }
    rewriter.bytes = bytes;
    rewriter.count = count;
    rewriter.limits = limits;
    rewriter.turn = turn;
    rewriter.writing = writing;
    rewriter.progress.progress_monitor = watch;
    tfj_output_start(&rewriter.output, &rewriter.session, result);
    rewriter.source.err = &rewriter.session.errors;
    rewriter.target.err = &rewriter.session.errors;
    rewriter.source.client_data = &rewriter;
    rewriter.target.client_data = &rewriter;
    tfj_code code = rewrite(&rewriter);
    jpeg_destroy_compress(&rewriter.target);
    jpeg_destroy_decompress(&rewriter.source);
    if (code != TFJ_OK) tfj_free(result);
    return code;
}
