/* U3: tensors and constants in memories of the application's choice. Small hot tensors go to tightly coupled memory as
 * far as it reaches, the input where the camera's DMA can write it, the first layer's weights to instruction memory,
 * all other constants to external flash. The application defines the arrays and says where they lie.
 *
 *   stillpool compile -c u3_memories.toml -o u3
 */
#include "digits.h"
#include "scans.h"

#if defined(__ELF__)
#define IN(where) __attribute__((section(where)))
#else
#define IN(where)
#endif

IN(DIGITS_DTCM_POOL_SECTION) STILLPOOL_ALIGNED(DIGITS_DTCM_POOL_ALIGN) static uint8_t dtcm[DIGITS_DTCM_POOL_SIZE];
IN(DIGITS_DMA_POOL_SECTION) STILLPOOL_ALIGNED(DIGITS_DMA_POOL_ALIGN) static uint8_t dma[DIGITS_DMA_POOL_SIZE];
IN(DIGITS_SRAM_POOL_SECTION) STILLPOOL_ALIGNED(DIGITS_SRAM_POOL_ALIGN) static uint8_t sram[DIGITS_SRAM_POOL_SIZE];
IN(DIGITS_ITCM_POOL_SECTION) STILLPOOL_ALIGNED(DIGITS_ITCM_POOL_ALIGN)
static const uint8_t itcm[DIGITS_ITCM_CONSTANT_POOL_SIZE] = DIGITS_ITCM_CONSTANT_POOL_DATA;
IN(DIGITS_QSPI_POOL_SECTION) STILLPOOL_ALIGNED(DIGITS_QSPI_POOL_ALIGN)
static const uint8_t qspi[DIGITS_QSPI_CONSTANT_POOL_SIZE] = DIGITS_QSPI_CONSTANT_POOL_DATA;

int main(void)
{
    digits_workspace_pools pools = {.dtcm = dtcm, .dma = dma, .sram = sram, .itcm = itcm, .qspi = qspi};
    int8_t *const image = digits_map_inputs(&pools).image;
    int right = 0;

    if (image != (int8_t *)dma) {
        return 2;
    }
    for (int sample = 0; sample < SAMPLES_COUNT; ++sample) {
        for (int i = 0; i < DIGITS_INPUT_IMAGE_COUNT; ++i) {
            image[i] = quantise(samples_pixels[sample][i], DIGITS_INPUT_IMAGE_SCALE, DIGITS_INPUT_IMAGE_ZERO_POINT);
        }
        if (digits_run(&pools) != DIGITS_OK) {
            return 2;
        }
        right += best(digits_map_outputs(&pools).scores, DIGITS_OUTPUT_SCORES_COUNT) == samples_labels[sample];
    }
    printf("memories: dtcm %d, dma %d, sram %d bytes of workspace, itcm %d, qspi %d bytes of constants\n",
           (int)sizeof dtcm, (int)sizeof dma, (int)sizeof sram, (int)sizeof itcm, (int)sizeof qspi);
    return verdict("memories", right);
}
