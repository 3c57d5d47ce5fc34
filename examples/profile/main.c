/* Measures every operator of a model compiled with --profile-hooks, and prints one line for each: position cycles.
 * stillpool profile PROJECT --from FILE reads them. */
#include "cycles.h"
#include "digits.h"

#include <stdio.h>

STILLPOOL_ALIGNED(DIGITS_WORKSPACE_POOL_ALIGN) static uint8_t workspace[DIGITS_WORKSPACE_POOL_SIZE];
static uint32_t took[DIGITS_OPERATOR_COUNT];
static uint32_t before;

/* Called after each operator. Printing waits until the run is over: it would be measured too. */
void digits_operator_done(int32_t position)
{
    took[position] = cycles_now() - before;
    before = cycles_now();
}

int main(void)
{
    digits_workspace_pools pools = {workspace};
    digits_inputs inputs = digits_map_inputs(&pools);
    int i;

    for (i = 0; i < DIGITS_INPUT_IMAGE_COUNT; ++i) {
        inputs.image[i] = (int8_t)(i % 17);
    }
    cycles_start();
    before = cycles_now();
    if (digits_run(&pools) != DIGITS_OK) {
        return 1;
    }
    for (i = 0; i < DIGITS_OPERATOR_COUNT; ++i) {
        printf("%d %lu\n", i, (unsigned long)took[i]);
    }
    return 0;
}
