/* What the example calls, plainly written: sums, then a factor with two roundings, an offset, and bounds. */
#include "arm_nnfunctions.h"

#include <stddef.h>

static int32_t at(const cmsis_nn_dims *d, int32_t n, int32_t h, int32_t w, int32_t c)
{
    return ((n * d->h + h) * d->w + w) * d->c + c;
}

static int8_t requantised(int32_t sum, int32_t multiplier, int32_t shift, int32_t offset, cmsis_nn_activation bounds)
{
    int64_t product = (int64_t)(shift > 0 ? (int32_t)((uint32_t)sum << shift) : sum) * multiplier;
    int32_t high = (int32_t)((product + (product >= 0 ? (1 << 30) : 1 - (1 << 30))) / ((int64_t)1 << 31));
    int32_t right = shift < 0 ? -shift : 0;
    int32_t mask = (int32_t)(((int64_t)1 << right) - 1), half = (mask >> 1) + (high < 0 ? 1 : 0);
    int32_t value = (high >> right) + ((high & mask) > half ? 1 : 0) + offset;
    value = value < bounds.min ? bounds.min : value;
    return (int8_t)(value > bounds.max ? bounds.max : value);
}

int32_t arm_convolve_wrapper_s8_get_buffer_size(const cmsis_nn_conv_params *conv_params,
    const cmsis_nn_dims *input_dims, const cmsis_nn_dims *filter_dims, const cmsis_nn_dims *output_dims)
{
    (void)conv_params;
    (void)output_dims;
    return 4 * input_dims->c * filter_dims->w * filter_dims->h;
}

int32_t arm_depthwise_conv_wrapper_s8_get_buffer_size(const cmsis_nn_dw_conv_params *dw_conv_params,
    const cmsis_nn_dims *input_dims, const cmsis_nn_dims *filter_dims, const cmsis_nn_dims *output_dims)
{
    (void)dw_conv_params;
    (void)output_dims;
    return 2 * input_dims->c * filter_dims->w * filter_dims->h;
}

int32_t arm_fully_connected_s8_get_buffer_size(const cmsis_nn_dims *filter_dims)
{
    return 4 * filter_dims->c;
}

/* Both convolutions; `per_input` outputs of each input channel if it is depthwise, otherwise 0. */
static void convolve(const cmsis_nn_conv_params *p, const cmsis_nn_per_channel_quant_params *q,
    const cmsis_nn_dims *in, const int8_t *input, const cmsis_nn_dims *taps, const int8_t *filter, const int32_t *bias,
    const cmsis_nn_dims *out, int8_t *output, int32_t per_input)
{
    int32_t n, y, x, c, ky, kx, i;
    for (n = 0; n < out->n; ++n) {
        for (y = 0; y < out->h; ++y) {
            for (x = 0; x < out->w; ++x) {
                for (c = 0; c < out->c; ++c) {
                    int32_t sum = bias[c];
                    for (ky = 0; ky < taps->h; ++ky) {
                        for (kx = 0; kx < taps->w; ++kx) {
                            int32_t iy = y * p->stride.h - p->padding.h + ky * p->dilation.h;
                            int32_t ix = x * p->stride.w - p->padding.w + kx * p->dilation.w;
                            if (iy < 0 || iy >= in->h || ix < 0 || ix >= in->w) {
                                continue;
                            }
                            for (i = 0; i < (per_input > 0 ? 1 : in->c); ++i) {
                                int32_t channel = per_input > 0 ? c / per_input : i;
                                int32_t tap = per_input > 0 ? at(taps, 0, ky, kx, c) : at(taps, c, ky, kx, i);
                                sum += (input[at(in, n, iy, ix, channel)] + p->input_offset) * filter[tap];
                            }
                        }
                    }
                    output[at(out, n, y, x, c)] =
                        requantised(sum, q->multiplier[c], q->shift[c], p->output_offset, p->activation);
                }
            }
        }
    }
}

arm_cmsis_nn_status arm_convolve_wrapper_s8(const cmsis_nn_context *ctx, const cmsis_nn_conv_params *conv_params,
    const cmsis_nn_per_channel_quant_params *quant_params, const cmsis_nn_dims *input_dims, const int8_t *input_data,
    const cmsis_nn_dims *filter_dims, const int8_t *filter_data, const cmsis_nn_dims *bias_dims,
    const int32_t *bias_data, const cmsis_nn_dims *output_dims, int8_t *output_data)
{
    int32_t i;
    if (ctx->buf == NULL || bias_dims->c != output_dims->c) {
        return ARM_CMSIS_NN_ARG_ERROR;
    }
    for (i = 0; i < ctx->size; ++i) {
        ((int8_t *)ctx->buf)[i] = 85; /* scratch is its own */
    }
    convolve(conv_params, quant_params, input_dims, input_data, filter_dims, filter_data, bias_data, output_dims,
        output_data, 0);
    return ARM_CMSIS_NN_SUCCESS;
}

arm_cmsis_nn_status arm_depthwise_conv_wrapper_s8(const cmsis_nn_context *ctx,
    const cmsis_nn_dw_conv_params *dw_conv_params, const cmsis_nn_per_channel_quant_params *quant_params,
    const cmsis_nn_dims *input_dims, const int8_t *input_data, const cmsis_nn_dims *filter_dims,
    const int8_t *filter_data, const cmsis_nn_dims *bias_dims, const int32_t *bias_data,
    const cmsis_nn_dims *output_dims, int8_t *output_data)
{
    cmsis_nn_conv_params params;
    if (ctx->buf == NULL || bias_dims->c != output_dims->c) {
        return ARM_CMSIS_NN_ARG_ERROR;
    }
    params.input_offset = dw_conv_params->input_offset;
    params.output_offset = dw_conv_params->output_offset;
    params.stride = dw_conv_params->stride;
    params.padding = dw_conv_params->padding;
    params.dilation = dw_conv_params->dilation;
    params.activation = dw_conv_params->activation;
    convolve(&params, quant_params, input_dims, input_data, filter_dims, filter_data, bias_data, output_dims,
        output_data, dw_conv_params->ch_mult);
    return ARM_CMSIS_NN_SUCCESS;
}

arm_cmsis_nn_status arm_fully_connected_wrapper_s8(const cmsis_nn_context *ctx, const cmsis_nn_fc_params *fc_params,
    const cmsis_nn_quant_params *quant_params, const cmsis_nn_dims *input_dims, const int8_t *input_data,
    const cmsis_nn_dims *filter_dims, const int8_t *filter_data, const cmsis_nn_dims *bias_dims,
    const int32_t *bias_data, const cmsis_nn_dims *output_dims, int8_t *output_data)
{
    int32_t n, c, i;
    if (ctx->buf == NULL || bias_dims->c != output_dims->c || filter_dims->c != output_dims->c) {
        return ARM_CMSIS_NN_ARG_ERROR;
    }
    for (n = 0; n < output_dims->n; ++n) {
        for (c = 0; c < output_dims->c; ++c) {
            int32_t sum = bias_data[c], which = quant_params->is_per_channel != 0 ? c : 0;
            for (i = 0; i < filter_dims->n; ++i) {
                sum += (input_data[n * input_dims->c + i] + fc_params->input_offset) *
                       (filter_data[c * filter_dims->n + i] + fc_params->filter_offset);
            }
            output_data[n * output_dims->c + c] = requantised(sum, quant_params->multiplier[which],
                quant_params->shift[which], fc_params->output_offset, fc_params->activation);
        }
    }
    return ARM_CMSIS_NN_SUCCESS;
}
