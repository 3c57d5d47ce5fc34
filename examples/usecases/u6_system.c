/* U6: a system of two models from one project file. The guard reads the scan where the application has it and the
 * reader is interrupted by it: both have parts of the pool of their own.
 *
 *   stillpool compile -c u6_system.toml -o u6
 */
#include "guard.h"
#include "reader.h"
#include "scans.h"

STILLPOOL_ALIGNED(READER_SRAM_POOL_ALIGN) static uint8_t sram[READER_SRAM_POOL_SIZE];

int main(void)
{
    static int8_t pixels[GUARD_INPUT_PIXELS_COUNT], expected[GUARD_OUTPUT_EXPECTED_COUNT];
    reader_workspace_pools reader = {sram};
    guard_workspace_pools guard = {sram};
    guard_inputs given = {pixels};
    guard_outputs wanted = {expected};
    int8_t *const image = reader_map_inputs(&reader).image;
    int right = 0;

    for (int sample = 0; sample < SAMPLES_COUNT; ++sample) {
        for (int i = 0; i < READER_INPUT_IMAGE_COUNT; ++i) {
            const uint8_t pixel = samples_pixels[sample][i];
            image[i] = quantise(pixel, READER_INPUT_IMAGE_SCALE, READER_INPUT_IMAGE_ZERO_POINT);
            pixels[i] = quantise(pixel, GUARD_INPUT_PIXELS_SCALE, GUARD_INPUT_PIXELS_ZERO_POINT);
        }
        /* The guard runs while the reader's input is already in the pool, and leaves it alone. */
        if (guard_run(&given, &wanted, &guard) != GUARD_OK || reader_run(&reader) != READER_OK) {
            return 2;
        }
        /* And again before the reader's output is read. */
        if (guard_run(&given, &wanted, &guard) != GUARD_OK) {
            return 2;
        }
        right += best(reader_map_outputs(&reader).scores, READER_OUTPUT_SCORES_COUNT) == samples_labels[sample];
    }
    return verdict("system", right);
}
