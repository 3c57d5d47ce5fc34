// RUN: stillpool-opt -p lower-nn,lower-tasks %s | filecheck %s
// RUN: stillpool-opt -p lower-nn,lower-tasks,usmp,emit-c -t c %s | filecheck %s --check-prefix=C

// The call stands in a function of its own, and knows the types that buffers do not tell.

// CHECK:      func.func private @custom_0(%input: memref<2xi8>, %input_1: memref<1xf32>, %output: memref<2xi8>)
// CHECK-NEXT:   "nn.custom_call"(%input, %input_1, %output) <{function = "my_function", scales = array<f32: {{.*}}>, zero_points = array<i32: 3, 0, -1>, options = array<i8: -1, 2>, types = array<i32: 2, 0, 1>

// C:      #include "stillpool_custom.h"
// C:      STILLPOOL_CUSTOM stillpool_custom_function my_function;
// C:      static void custom_0(const int8_t *input, const float *input_1, int8_t *output) {
// C:        static const int32_t input_0_shape[] = { 2 };
// C-NEXT:   static const int32_t input_1_shape[] = { 1 };
// C-NEXT:   const stillpool_custom_input inputs[] = { { input, STILLPOOL_UINT8, 1, input_0_shape, 0.5f, 3 },
// C-NEXT:       { input_1, STILLPOOL_FLOAT32, 1, input_1_shape, 0.0f, 0 } };
// C-NEXT:   static const int32_t output_0_shape[] = { 2 };
// C-NEXT:   const stillpool_custom_output outputs[] = { { output, STILLPOOL_INT8, 1, output_0_shape, 0.25f, -1 } };
// C-NEXT:   static const uint8_t options[] = { 255, 2 };
// C-NEXT:   my_function(inputs, 2, outputs, 1, options, 2);
func.func @f(%x: tensor<2xui8>) -> tensor<2xi8> {
  %c = nn.constant dense<1.5> : tensor<1xf32>
  %y = nn.custom "my_function"(%x, %c) scales [0.5, 0.0, 0.25] zero_points [3, 0, -1] options [-1, 2]
    : (tensor<2xui8>, tensor<1xf32>) -> tensor<2xi8>
  func.return %y : tensor<2xi8>
}
