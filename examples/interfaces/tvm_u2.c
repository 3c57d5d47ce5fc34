/* TVM's interface, U2 of RFC 0009: two models, compiled apart, share a workspace as large as the larger needs.
 *
 *   stillpool compile digits.tflite --interface tvm --name mod1 --workspace-pool my_memory_pool -o mod1
 *   stillpool compile novelty.tflite --interface tvm --name mod2 --workspace-pool my_memory_pool -o mod2
 */
#include "tvmgen_mod1.h"
#include "tvmgen_mod2.h"

#include "answers.h"

#define MAX(A, B) ((A) > (B) ? (A) : (B))
__attribute__((section(".data.tvm"), aligned(16)))
static uint8_t my_memory_pool[MAX(TVMGEN_MOD1_MY_MEMORY_POOL_WORKSPACE_POOL_SIZE,
                                  TVMGEN_MOD2_MY_MEMORY_POOL_WORKSPACE_POOL_SIZE)];

int main(void)
{
    static int8_t image[TVMGEN_MOD1_IMAGE_SIZE], scores[TVMGEN_MOD1_SCORES_SIZE];
    static int8_t pixels[TVMGEN_MOD2_PIXELS_SIZE], expected[TVMGEN_MOD2_EXPECTED_SIZE];
    struct tvmgen_mod1_inputs inputs1 = {.image = image};
    struct tvmgen_mod1_outputs outputs1 = {.scores = scores};
    struct tvmgen_mod1_workspace_pools pools1 = {.my_memory_pool = &my_memory_pool};
    tvmgen_mod2_inputs inputs2 = {.pixels = pixels};
    tvmgen_mod2_outputs outputs2 = {.expected = expected};
    tvmgen_mod2_workspace_pools pools2 = {.my_memory_pool = my_memory_pool};
    uint32_t one = NO_ANSWERS, two = NO_ANSWERS;
    int sample;

    for (sample = 0; sample < SAMPLES_COUNT; ++sample) {
        fill(image, samples_pixels[sample], TVMGEN_MOD1_IMAGE_COUNT, TVMGEN_MOD1_IMAGE_SCALE,
             TVMGEN_MOD1_IMAGE_ZERO_POINT);
        fill(pixels, samples_pixels[sample], TVMGEN_MOD2_PIXELS_COUNT, TVMGEN_MOD2_PIXELS_SCALE,
             TVMGEN_MOD2_PIXELS_ZERO_POINT);
        if (tvmgen_mod1_run(&inputs1, &outputs1, &pools1) != 0 || tvmgen_mod2_run(&inputs2, &outputs2, &pools2) != 0) {
            return 1;
        }
        one = mixed(one, scores, TVMGEN_MOD1_SCORES_SIZE);
        two = mixed(two, expected, TVMGEN_MOD2_EXPECTED_SIZE);
    }
    printf("digits %08lx\nnovelty %08lx\n", (unsigned long)one, (unsigned long)two);
    return 0;
}
