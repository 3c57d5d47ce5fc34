// The C++ interpreter: as in an application of TensorFlow Lite Micro, but for the model and the resolver.
//
//   stillpool compile digits.tflite --workspace-io outputs --shim cpp -o interpreter
#define STILLPOOL_TFLITE_NAMES
#include "digits_interpreter.hpp"

#include "answers.h"

namespace {
alignas(16) uint8_t tensor_arena[digits_arena];
struct Resolver {
};
} // namespace

int main()
{
    Resolver resolver;
    tflite::MicroInterpreter narrow(&digits_model, tensor_arena, 100);
    if (narrow.AllocateTensors() != kTfLiteError || narrow.Invoke() != kTfLiteError || narrow.input(0) != nullptr) {
        return 1;
    }
    tflite::MicroInterpreter interpreter(&digits_model, resolver, tensor_arena, sizeof tensor_arena);
    if (interpreter.AllocateTensors() != kTfLiteOk || interpreter.arena_used_bytes() > sizeof tensor_arena) {
        return 2;
    }
    TfLiteTensor *const input = interpreter.input(0);
    if (interpreter.inputs_size() != 1 || input->type != kTfLiteInt8 || input->dims->size != 3
        || input->dims->data[1] != 8 || input->bytes != 64) {
        return 3;
    }
    if (interpreter.typed_input_tensor<float>(0) != nullptr || interpreter.output(1) != nullptr) {
        return 4;
    }
    uint32_t answers = NO_ANSWERS;
    for (int sample = 0; sample < SAMPLES_COUNT; ++sample) {
        fill(input->data.int8, samples_pixels[sample], 64, input->params.scale, input->params.zero_point);
        if (interpreter.Invoke() != kTfLiteOk) {
            return 5;
        }
        answers = mixed(answers, interpreter.typed_output<int8_t>(0), static_cast<int32_t>(interpreter.output(0)->bytes));
    }
    printf("digits %08lx\n", static_cast<unsigned long>(answers));
    return 0;
}
