// Models compiled by stillpool behind an interpreter's face: what applications of TensorFlow Lite Micro call. C++11.
//
//     alignas(16) static uint8_t arena[digits_arena];
//     stillpool::MicroInterpreter interpreter(&digits_model, arena, sizeof arena);
//     if (interpreter.AllocateTensors() != stillpool::kTfLiteOk) { ... }
//     stillpool::TfLiteTensor *input = interpreter.input(0);
//     input->data.int8[0] = 1;
//     interpreter.Invoke();
//
// The arena holds pools, tensors, and inputs and outputs that lie in no pool. No heap, no exceptions, nothing virtual.
#ifndef STILLPOOL_INTERPRETER_HPP
#define STILLPOOL_INTERPRETER_HPP

#include <cstddef>
#include <cstdint>

#include "stillpool_model.h"

namespace stillpool {

enum TfLiteStatus { kTfLiteOk = 0, kTfLiteError = 1 };

enum TfLiteType {
    kTfLiteNoType = 0,
    kTfLiteFloat32 = 1,
    kTfLiteInt32 = 2,
    kTfLiteUInt8 = 3,
    kTfLiteInt64 = 4,
    kTfLiteBool = 6,
    kTfLiteInt16 = 7,
    kTfLiteInt8 = 9,
    kTfLiteFloat64 = 11
};

struct TfLiteIntArray {
    int size;
    const int32_t *data;
};

struct TfLiteQuantizationParams {
    float scale;
    int32_t zero_point;
};

union TfLitePtrUnion {
    void *data;
    char *raw;
    int8_t *int8;
    uint8_t *uint8;
    int16_t *i16;
    int32_t *i32;
    int64_t *i64;
    float *f;
    double *f64;
    bool *b;
};

struct TfLiteTensor {
    TfLitePtrUnion data;
    TfLiteType type;
    const TfLiteIntArray *dims;
    TfLiteQuantizationParams params;
    size_t bytes;
    const char *name;
    TfLiteIntArray own_dims;
};

// What each element type is called there.
template <typename T> struct TypeOf;
template <> struct TypeOf<float> { static constexpr TfLiteType value = kTfLiteFloat32; };
template <> struct TypeOf<double> { static constexpr TfLiteType value = kTfLiteFloat64; };
template <> struct TypeOf<bool> { static constexpr TfLiteType value = kTfLiteBool; };
template <> struct TypeOf<int8_t> { static constexpr TfLiteType value = kTfLiteInt8; };
template <> struct TypeOf<uint8_t> { static constexpr TfLiteType value = kTfLiteUInt8; };
template <> struct TypeOf<int16_t> { static constexpr TfLiteType value = kTfLiteInt16; };
template <> struct TypeOf<int32_t> { static constexpr TfLiteType value = kTfLiteInt32; };
template <> struct TypeOf<int64_t> { static constexpr TfLiteType value = kTfLiteInt64; };

class MicroInterpreter {
public:
    MicroInterpreter(const stillpool_model *model, uint8_t *arena, size_t arena_size)
        : model_(model), arena_(arena), size_(arena_size), used_(0), handle_(), tensors_(nullptr),
          constants_(nullptr), status_(kTfLiteOk)
    {
    }

    // A resolver of operators is taken and not needed.
    template <typename Resolver>
    MicroInterpreter(const stillpool_model *model, const Resolver &, uint8_t *arena, size_t arena_size)
        : MicroInterpreter(model, arena, arena_size)
    {
    }

    MicroInterpreter(const MicroInterpreter &) = delete;
    MicroInterpreter &operator=(const MicroInterpreter &) = delete;

    // The constant pools of the model in their order, before AllocateTensors; models that have none need it not.
    void SetConstantPools(const void *const *pools) { constants_ = pools; }

    // Lays pools, tensors, inputs and outputs out in the arena. kTfLiteError: it is null or too small.
    TfLiteStatus AllocateTensors()
    {
        status_ = model_ != nullptr && arena_ != nullptr ? Allocate() : kTfLiteError;
        return status_;
    }

    // Sets the handle of a device of external functions, behind AllocateTensors; it is null before.
    TfLiteStatus SetDevice(int index, void *device)
    {
        const bool is_set = status_ == kTfLiteOk && tensors_ != nullptr
            && stillpool_set_device(&handle_, static_cast<int32_t>(index), device) == STILLPOOL_OK;
        return is_set ? kTfLiteOk : kTfLiteError;
    }

    TfLiteStatus Invoke()
    {
        if (tensors_ == nullptr || status_ != kTfLiteOk) {
            return kTfLiteError;
        }
        return stillpool_run(&handle_) == STILLPOOL_OK ? kTfLiteOk : kTfLiteError;
    }

    // Sets what the model keeps from run to run to its initial values.
    TfLiteStatus Reset() { return stillpool_reset(&handle_) == STILLPOOL_OK ? kTfLiteOk : kTfLiteError; }

    size_t inputs_size() const { return model_ == nullptr ? 0 : static_cast<size_t>(model_->inputs); }
    size_t outputs_size() const { return model_ == nullptr ? 0 : static_cast<size_t>(model_->outputs); }
    TfLiteTensor *input(size_t index) { return index < inputs_size() ? At(index) : nullptr; }
    TfLiteTensor *output(size_t index) { return index < outputs_size() ? At(inputs_size() + index) : nullptr; }
    TfLiteTensor *input_tensor(size_t index) { return input(index); }
    TfLiteTensor *output_tensor(size_t index) { return output(index); }

    // The elements; null if there is no such tensor or they are of another type.
    template <typename T> T *typed_input_tensor(int index) { return Typed<T>(input(static_cast<size_t>(index))); }
    template <typename T> T *typed_output_tensor(int index) { return Typed<T>(output(static_cast<size_t>(index))); }
    template <typename T> T *typed_input(int index) { return typed_input_tensor<T>(index); }
    template <typename T> T *typed_output(int index) { return typed_output_tensor<T>(index); }

    // Bytes of the arena that AllocateTensors took, or would take if it said that they are too few.
    size_t arena_used_bytes() const { return used_; }
    TfLiteStatus initialization_status() const { return status_; }

private:
    TfLiteTensor *At(size_t position) { return tensors_ == nullptr ? nullptr : tensors_ + position; }

    template <typename T> static T *Typed(TfLiteTensor *tensor)
    {
        const bool fits = tensor != nullptr && tensor->type == TypeOf<T>::value;
        return fits ? static_cast<T *>(tensor->data.data) : nullptr;
    }

    // The next bytes of the arena, null if there are too few.
    void *Take(size_t bytes, size_t alignment)
    {
        const uintptr_t start = reinterpret_cast<uintptr_t>(arena_) + used_;
        used_ += (alignment - start % alignment) % alignment + bytes;
        return used_ <= size_ ? arena_ + (used_ - bytes) : nullptr;
    }

    TfLiteStatus Allocate()
    {
        const size_t tensors = inputs_size() + outputs_size(), pools = static_cast<size_t>(model_->pools);
        const size_t kept = tensors + pools + static_cast<size_t>(model_->devices);
        size_t constant = 0;
        used_ = 0;
        tensors_ = nullptr;
        void **const pointers = static_cast<void **>(Take((kept + pools) * sizeof(void *), alignof(void *)));
        void *const views = Take(tensors * sizeof(TfLiteTensor), alignof(TfLiteTensor));
        for (size_t i = 0; i < pools; ++i) {
            const stillpool_pool_info &pool = model_->pool[i];
            void *place = nullptr;
            if (!pool.is_constant) {
                place = Take(pool.bytes, pool.alignment);
            } else if (constants_ != nullptr) {
                // A run only reads them.
                place = const_cast<void *>(constants_[constant++]);
            }
            if (pointers != nullptr && used_ <= size_) {
                pointers[kept + i] = place;
            }
        }
        const bool fits = used_ <= size_;
        void **const given = fits ? pointers + kept : nullptr;
        const bool opened = fits && stillpool_open(&handle_, model_, pointers, given) == STILLPOOL_OK;
        for (size_t i = 0; i < tensors; ++i) {
            const bool is_input = i < inputs_size();
            const size_t index = is_input ? i : i - inputs_size();
            const stillpool_tensor_info &info = is_input ? model_->input[index] : model_->output[index];
            if (!info.is_mapped) {
                void *const place = Take(info.bytes, 16);
                if (opened && place != nullptr) {
                    pointers[i] = place;
                }
            }
        }
        if (!opened || used_ > size_) {
            return kTfLiteError;
        }
        tensors_ = static_cast<TfLiteTensor *>(views);
        for (size_t i = 0; i < tensors; ++i) {
            const bool is_input = i < inputs_size();
            const size_t index = is_input ? i : i - inputs_size();
            View(tensors_[i], is_input ? model_->input[index] : model_->output[index], pointers[i]);
        }
        return kTfLiteOk;
    }

    static void View(TfLiteTensor &tensor, const stillpool_tensor_info &info, void *data)
    {
        static const TfLiteType types[] = {kTfLiteBool, kTfLiteInt8, kTfLiteUInt8, kTfLiteInt16, kTfLiteInt32,
            kTfLiteInt64, kTfLiteFloat32, kTfLiteFloat64};
        tensor.data.data = data;
        tensor.type = types[info.type];
        tensor.own_dims.size = info.rank;
        tensor.own_dims.data = info.shape;
        tensor.dims = &tensor.own_dims;
        tensor.params.scale = info.scale;
        tensor.params.zero_point = info.zero_point;
        tensor.bytes = info.bytes;
        tensor.name = info.name;
    }

    const stillpool_model *model_;
    uint8_t *arena_;
    size_t size_;
    size_t used_;
    stillpool_handle handle_;
    TfLiteTensor *tensors_;
    const void *const *constants_;
    TfLiteStatus status_;
};

} // namespace stillpool

// Applications that say tflite::MicroInterpreter and TfLiteTensor define this before they include the file.
#ifdef STILLPOOL_TFLITE_NAMES
namespace tflite {
using stillpool::MicroInterpreter;
}
using stillpool::TfLiteStatus;
using stillpool::TfLiteTensor;
using stillpool::TfLiteType;
using stillpool::kTfLiteBool;
using stillpool::kTfLiteError;
using stillpool::kTfLiteFloat32;
using stillpool::kTfLiteFloat64;
using stillpool::kTfLiteInt16;
using stillpool::kTfLiteInt32;
using stillpool::kTfLiteInt64;
using stillpool::kTfLiteInt8;
using stillpool::kTfLiteOk;
using stillpool::kTfLiteUInt8;
#endif

#endif // STILLPOOL_INTERPRETER_HPP
