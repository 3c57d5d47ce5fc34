/* U11: a camera delivers the scan row by row. DMA, here a thread, fills one row buffer while the network works on the
 * other: there is never a whole scan in memory.
 *
 *   stillpool compile digits.tflite -o u11 --stream-input image
 */
#include <pthread.h>

#include "digits.h"
#include "scans.h"

STILLPOOL_ALIGNED(DIGITS_WORKSPACE_POOL_ALIGN) static uint8_t workspace[DIGITS_WORKSPACE_POOL_SIZE];
static digits_workspace_pools pools = {workspace};
static int8_t lines[2][DIGITS_INPUT_IMAGE_ROW_COUNT];

/* The next row that the camera delivers, over all scans. */
static int delivered = 0;
static pthread_t dma;

static void *transfer(void *line)
{
    const int sample = delivered / DIGITS_INPUT_IMAGE_ROWS, row = delivered % DIGITS_INPUT_IMAGE_ROWS;
    for (int i = 0; sample < SAMPLES_COUNT && i < DIGITS_INPUT_IMAGE_ROW_COUNT; ++i) {
        const uint8_t pixel = samples_pixels[sample][row * DIGITS_INPUT_IMAGE_ROW_COUNT + i];
        ((int8_t *)line)[i] = quantise(pixel, DIGITS_INPUT_IMAGE_SCALE, DIGITS_INPUT_IMAGE_ZERO_POINT);
    }
    ++delivered;
    return NULL;
}

static void dma_start(int8_t *line)
{
    if (pthread_create(&dma, NULL, transfer, line) != 0) {
        transfer(line);
        dma = pthread_self();
    }
}

static void dma_wait(void)
{
    if (!pthread_equal(dma, pthread_self())) {
        (void)pthread_join(dma, NULL);
    }
}

int main(void)
{
    const digits_outputs outputs = digits_map_outputs(&pools);
    digits_stream stream;
    int right = 0, filled = 0;

    dma_start(lines[filled]);
    for (int sample = 0; sample < SAMPLES_COUNT; ++sample) {
        int32_t wanted = DIGITS_INPUT_IMAGE_ROWS;
        if (digits_stream_begin(&stream) != DIGITS_OK) {
            return 2;
        }
        while (wanted > 0) {
            const int8_t *line = lines[filled];
            dma_wait();
            filled = 1 - filled;
            dma_start(lines[filled]);
            wanted = digits_push_rows(&stream, &pools, line, 1);
        }
        if (wanted < 0) {
            return 2;
        }
        right += best(outputs.scores, DIGITS_OUTPUT_SCORES_COUNT) == samples_labels[sample];
    }
    dma_wait();
    return verdict("camera", right);
}
