/* U10: a model with state. It reads a digit row by row, one row a run, and what it has seen stays in the pool `state`.
 * Two streams, of the even and of the odd scans, take turns: each has a state of its own, the workspace is theirs in turn.
 *
 *   stillpool compile reader.tflite -o u10
 */
#include "reader.h"
#include "scans.h"

#define STREAMS 2
#define ROWS 8

STILLPOOL_ALIGNED(READER_WORKSPACE_POOL_ALIGN) static uint8_t workspace[READER_WORKSPACE_POOL_SIZE];
STILLPOOL_ALIGNED(READER_STATE_POOL_ALIGN) static uint8_t even[READER_STATE_POOL_SIZE];
STILLPOOL_ALIGNED(READER_STATE_POOL_ALIGN) static uint8_t odd[READER_STATE_POOL_SIZE];

/* One row of a stream's scan; the digit that it looks like so far, or -1. */
static int see(reader_workspace_pools *stream, const uint8_t *pixels)
{
    const reader_inputs inputs = reader_map_inputs(stream);
    for (int i = 0; i < READER_INPUT_ROW_COUNT; ++i) {
        inputs.row[i] = quantise(pixels[i], READER_INPUT_ROW_SCALE, READER_INPUT_ROW_ZERO_POINT);
    }
    if (reader_run(stream) != READER_OK) {
        return -1;
    }
    return best(reader_map_outputs(stream).scores, READER_OUTPUT_SCORES_COUNT);
}

int main(void)
{
    reader_workspace_pools streams[STREAMS] = {{workspace, even}, {workspace, odd}};
    int right = 0;

    printf("label: the digit so far, after each row\n");
    for (int first = 0; first < SAMPLES_COUNT; first += STREAMS) {
        int seen[STREAMS][ROWS];
        for (int i = 0; i < STREAMS; ++i) {
            if (reader_reset(&streams[i]) != READER_OK) {
                return 2;
            }
        }
        for (int row = 0; row < ROWS; ++row) {
            for (int i = 0; i < STREAMS; ++i) {
                seen[i][row] = see(&streams[i], samples_pixels[first + i] + row * READER_INPUT_ROW_COUNT);
                if (seen[i][row] < 0) {
                    return 3;
                }
                /* Between calls all but the state is the application's. */
                memset(workspace, row, sizeof workspace);
            }
        }
        for (int i = 0; i < STREAMS; ++i) {
            const int label = samples_labels[first + i];
            printf("%d:", label);
            for (int row = 0; row < ROWS; ++row) {
                printf(" %d", seen[i][row]);
            }
            printf("\n");
            right += seen[i][ROWS - 1] == label;
        }
    }
    return verdict("streams", right);
}
