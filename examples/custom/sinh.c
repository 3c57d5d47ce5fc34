/* A custom operator: the hyperbolic sine of every float. Compile with
 *   stillpool compile model.tflite -o build --custom Sinh=my_sinh --custom-source sinh.c
 */
#include "stillpool_custom.h"

#include <math.h>

STILLPOOL_CUSTOM stillpool_custom_function my_sinh;

void my_sinh(const stillpool_custom_input *inputs, int32_t input_count,
    const stillpool_custom_output *outputs, int32_t output_count, const uint8_t *options, int32_t option_bytes)
{
    const float *x = (const float *)inputs[0].data;
    float *y = (float *)outputs[0].data;
    int32_t count = 1;
    int32_t d;
    int32_t i;
    (void)input_count;
    (void)output_count;
    (void)options;
    (void)option_bytes;
    for (d = 0; d < inputs[0].rank; ++d) {
        count *= inputs[0].shape[d];
    }
    for (i = 0; i < count; ++i) {
        y[i] = sinhf(x[i]);
    }
}
