/* A pretend accelerator: computes quantised convolutions, tile by tile of its output rows.
 *
 *   stillpool compile digits.tflite -o build --workspace-pool sram \
 *       --external conv_2d=accelerator_conv:scratch=256,align=16 --external-source accelerator.c
 *
 * Its arithmetic is TensorFlow Lite's: products accumulate in 32 bits, and are multiplied with a factor of each output
 * channel, rounded twice where it shifts to the right. What a device would do is in `row`; the rest drives it. */
#include "stillpool_external_conv2d.h"

STILLPOOL_EXTERNAL int32_t accelerator_conv(const stillpool_external_conv2d *op, const int8_t *input,
    const int8_t *filter, const int32_t *bias, int8_t *output, void *scratch, void *device);

/* value * multiplier / 2^31, to the nearest, halves away from zero. */
static int32_t doubling_high_mul(int32_t value, int32_t multiplier)
{
    int64_t product = (int64_t)value * multiplier;
    int64_t nudge = product >= 0 ? (1 << 30) : 1 - (1 << 30);
    return (int32_t)((product + nudge) / ((int64_t)1 << 31));
}

/* value / 2^shift, to the nearest, halves away from zero. */
static int32_t rounded_shift(int32_t value, int32_t shift)
{
    int32_t mask = (int32_t)(((int64_t)1 << shift) - 1);
    int32_t half = (mask >> 1) + (value < 0 ? 1 : 0);
    return (value >> shift) + ((value & mask) > half ? 1 : 0);
}

static int8_t requantised(const stillpool_external_conv2d *op, int32_t sum, int32_t channel)
{
    int32_t which = op->multiplier_count == 1 ? 0 : channel;
    int32_t shift = op->shift[which];
    int32_t scaled = doubling_high_mul(shift > 0 ? (int32_t)((uint32_t)sum << shift) : sum, op->multiplier[which]);
    int32_t value = rounded_shift(scaled, shift < 0 ? -shift : 0) + op->zero_points[2];
    value = value < op->clamp_min ? op->clamp_min : value;
    return (int8_t)(value > op->clamp_max ? op->clamp_max : value);
}

/* One row of the output, with the sums of one pixel in `sums`. */
static void row(const stillpool_external_conv2d *op, const int8_t *input, const int8_t *filter, const int32_t *bias,
    int8_t *output, int32_t *sums, int32_t oy)
{
    int32_t height = op->input_shape[1], width = op->input_shape[2], channels = op->input_shape[3];
    int32_t count = op->filter_shape[0], rows = op->filter_shape[1], columns = op->filter_shape[2];
    int32_t group = op->filter_shape[3], per_group = count / (channels / group);
    int32_t ox, oc, ky, kx, ic;
    for (ox = 0; ox < op->output_shape[2]; ++ox) {
        for (oc = 0; oc < count; ++oc) {
            sums[oc] = bias[oc];
            for (ky = 0; ky < rows; ++ky) {
                int32_t iy = oy * op->strides[0] - op->pads[0] + ky * op->dilations[0];
                for (kx = 0; iy >= 0 && iy < height && kx < columns; ++kx) {
                    int32_t ix = ox * op->strides[1] - op->pads[2] + kx * op->dilations[1];
                    for (ic = 0; ix >= 0 && ix < width && ic < group; ++ic) {
                        int32_t x = input[(iy * width + ix) * channels + oc / per_group * group + ic];
                        int32_t w = filter[((oc * rows + ky) * columns + kx) * group + ic];
                        sums[oc] += (x - op->zero_points[0]) * (w - op->zero_points[1]);
                    }
                }
            }
        }
        for (oc = 0; oc < count; ++oc) {
            output[(oy * op->output_shape[2] + ox) * count + oc] = requantised(op, sums[oc], oc);
        }
    }
}

int32_t accelerator_conv(const stillpool_external_conv2d *op, const int8_t *input, const int8_t *filter,
    const int32_t *bias, int8_t *output, void *scratch, void *device)
{
    int32_t oy;
    (void)device;
    if (op->input_shape[0] != 1 || op->scratch_bytes < op->filter_shape[0] * (int32_t)sizeof(int32_t)) {
        return -1; /* one image at a time, and room for the sums of a pixel */
    }
    for (oy = 0; oy < op->output_shape[1]; ++oy) {
        row(op, input, filter, bias, output, (int32_t *)scratch, oy);
    }
    return 0;
}
