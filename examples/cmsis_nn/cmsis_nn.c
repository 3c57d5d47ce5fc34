/* Quantised convolutions and matrix products by CMSIS-NN 7.0, which the application brings (its headers on the include
 * path, its library linked). Operators must have a bias, as those of trained models do.
 *
 *   stillpool compile digits.tflite -o build --external-source cmsis_nn.c \
 *       --external conv_2d=cmsis_nn_conv:scratch=1024 --external depthwise_conv_2d=cmsis_nn_depthwise_conv:scratch=1024 \
 *       --external fully_connected=cmsis_nn_fully_connected:scratch=1024
 *
 * How much scratch an operator needs depends on the processor: arm_convolve_wrapper_s8_get_buffer_size and its like
 * tell, and too little is refused at run time. Of newer versions arm_depthwise_conv_wrapper_s8 has another parameter. */
#include <stddef.h>

#include "arm_nnfunctions.h"
#include "stillpool_external_conv2d.h"
#include "stillpool_external_depthwise_conv2d.h"
#include "stillpool_external_fully_connected.h"

#define TOO_LITTLE_SCRATCH (-1)

STILLPOOL_EXTERNAL int32_t cmsis_nn_conv(const stillpool_external_conv2d *op, const int8_t *input,
    const int8_t *filter, const int32_t *bias, int8_t *output, void *scratch, void *device);
STILLPOOL_EXTERNAL int32_t cmsis_nn_depthwise_conv(const stillpool_external_depthwise_conv2d *op, const int8_t *input,
    const int8_t *filter, const int32_t *bias, int8_t *output, void *scratch, void *device);
STILLPOOL_EXTERNAL int32_t cmsis_nn_fully_connected(const stillpool_external_fully_connected *op,
    const int8_t *input, const int8_t *filter, const int32_t *bias, int8_t *output, void *scratch, void *device);

static cmsis_nn_dims dims(int32_t n, int32_t h, int32_t w, int32_t c)
{
    cmsis_nn_dims made;
    made.n = n;
    made.h = h;
    made.w = w;
    made.c = c;
    return made;
}

static cmsis_nn_dims dims_of(const int32_t *shape)
{
    return dims(shape[0], shape[1], shape[2], shape[3]);
}

static cmsis_nn_tile tile(int32_t h, int32_t w)
{
    cmsis_nn_tile made;
    made.w = w;
    made.h = h;
    return made;
}

static cmsis_nn_context context(void *scratch, int32_t bytes)
{
    cmsis_nn_context made;
    made.buf = scratch;
    made.size = bytes;
    return made;
}

/* CMSIS-NN reads these lists, though its structs point to variables. */
static int32_t *variable(const int32_t *list)
{
    return (int32_t *)(uintptr_t)list;
}

int32_t cmsis_nn_conv(const stillpool_external_conv2d *op, const int8_t *input, const int8_t *filter,
    const int32_t *bias, int8_t *output, void *scratch, void *device)
{
    cmsis_nn_context ctx = context(scratch, op->scratch_bytes);
    cmsis_nn_dims in = dims_of(op->input_shape), taps = dims_of(op->filter_shape), out = dims_of(op->output_shape);
    cmsis_nn_dims biases = dims(1, 1, 1, out.c);
    cmsis_nn_per_channel_quant_params quantisation;
    cmsis_nn_conv_params params;
    (void)device;
    params.input_offset = -op->zero_points[0];
    params.output_offset = op->zero_points[2];
    params.stride = tile(op->strides[0], op->strides[1]);
    params.padding = tile(op->pads[0], op->pads[2]);
    params.dilation = tile(op->dilations[0], op->dilations[1]);
    params.activation.min = op->clamp_min;
    params.activation.max = op->clamp_max;
    quantisation.multiplier = variable(op->multiplier);
    quantisation.shift = variable(op->shift);
    if (op->multiplier_count != out.c ||
        arm_convolve_wrapper_s8_get_buffer_size(&params, &in, &taps, &out) > op->scratch_bytes) {
        return TOO_LITTLE_SCRATCH;
    }
    return (int32_t)arm_convolve_wrapper_s8(
        &ctx, &params, &quantisation, &in, input, &taps, filter, &biases, bias, &out, output);
}

int32_t cmsis_nn_depthwise_conv(const stillpool_external_depthwise_conv2d *op, const int8_t *input,
    const int8_t *filter, const int32_t *bias, int8_t *output, void *scratch, void *device)
{
    cmsis_nn_context ctx = context(scratch, op->scratch_bytes);
    cmsis_nn_dims in = dims_of(op->input_shape), taps = dims_of(op->filter_shape), out = dims_of(op->output_shape);
    cmsis_nn_dims biases = dims(1, 1, 1, out.c);
    cmsis_nn_per_channel_quant_params quantisation;
    cmsis_nn_dw_conv_params params;
    (void)device;
    params.input_offset = -op->zero_points[0];
    params.output_offset = op->zero_points[2];
    params.ch_mult = out.c / in.c;
    params.stride = tile(op->strides[0], op->strides[1]);
    params.padding = tile(op->pads[0], op->pads[2]);
    params.dilation = tile(op->dilations[0], op->dilations[1]);
    params.activation.min = op->clamp_min;
    params.activation.max = op->clamp_max;
    quantisation.multiplier = variable(op->multiplier);
    quantisation.shift = variable(op->shift);
    if (op->multiplier_count != out.c ||
        arm_depthwise_conv_wrapper_s8_get_buffer_size(&params, &in, &taps, &out) > op->scratch_bytes) {
        return TOO_LITTLE_SCRATCH;
    }
    return (int32_t)arm_depthwise_conv_wrapper_s8(
        &ctx, &params, &quantisation, &in, input, &taps, filter, &biases, bias, &out, output);
}

int32_t cmsis_nn_fully_connected(const stillpool_external_fully_connected *op, const int8_t *input,
    const int8_t *filter, const int32_t *bias, int8_t *output, void *scratch, void *device)
{
    cmsis_nn_context ctx = context(scratch, op->scratch_bytes);
    int32_t outputs = op->filter_shape[0], inputs = op->filter_shape[1], rows = 1, i;
    cmsis_nn_dims in, taps, biases, out;
    cmsis_nn_quant_params quantisation;
    cmsis_nn_fc_params params;
    (void)device;
    for (i = 0; i + 1 < op->output_shape_count; ++i) {
        rows *= op->output_shape[i];
    }
    in = dims(rows, 1, 1, inputs);
    taps = dims(inputs, 1, 1, outputs);
    biases = dims(1, 1, 1, outputs);
    out = dims(rows, 1, 1, outputs);
    params.input_offset = -op->zero_points[0];
    params.filter_offset = -op->zero_points[1];
    params.output_offset = op->zero_points[2];
    params.activation.min = op->clamp_min;
    params.activation.max = op->clamp_max;
    quantisation.multiplier = variable(op->multiplier);
    quantisation.shift = variable(op->shift);
    quantisation.is_per_channel = op->multiplier_count > 1 ? 1 : 0;
    if (arm_fully_connected_s8_get_buffer_size(&taps) > op->scratch_bytes) {
        return TOO_LITTLE_SCRATCH;
    }
    return (int32_t)arm_fully_connected_wrapper_s8(
        &ctx, &params, &quantisation, &in, input, &taps, filter, &biases, bias, &out, output);
}
