"""JAX functions and Keras models as .tflite files, by StableHLO and litert-converter, without TensorFlow.

    pip install jax litert-converter
    python jax_tflite.py -o build/jax

The folder gets `cnn.tflite`, of floats. Then `stillpool compile build/jax/cnn.tflite` writes the C. With `--keras`,
and the package `keras`, it gets `keras.tflite`: a Keras model whose backend is JAX is a JAX function. The converter's
Python names are not public: they are those of litert-converter 0.5.
"""

# pyright: reportMissingImports=false

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import jax
import numpy as np
from litert_converter.mlir import ir, passmanager
from litert_converter.mlir._mlir_libs import converter_api_ext


def converted(function: Callable[..., Any], *inputs: jax.ShapeDtypeStruct, names: Sequence[str]) -> bytes:
    """The file of a function with one result."""
    text = jax.jit(function).lower(*inputs).as_text()
    context = ir.Context()
    converter_api_ext.prepare_mlir_context(context)
    with context, ir.Location.unknown():
        module = ir.Module.parse(text)
        converter_api_ext.set_signature(module.operation, "serving_default", list(names), ["result"])
        settings = converter_api_ext.ConvertToTFLConfig()
        converter_api_ext.run_convert_to_tfl_passes(module, passmanager.PassManager(), settings)
        return converter_api_ext.export_flatbuffer_to_bytes(module.operation)


def cnn() -> Callable[[jax.Array], jax.Array]:
    """A convolution, a pool, a depthwise convolution and a dense layer."""
    rng = np.random.default_rng(0)
    shapes = (3, 3, 1, 8), (3, 3, 1, 8), (8, 5)
    first, depthwise, matrix = (rng.normal(size=shape).astype(np.float32) / 3 for shape in shapes)
    layout = ("NHWC", "HWIO", "NHWC")

    def network(image: jax.Array) -> jax.Array:
        image = jax.nn.relu(jax.lax.conv_general_dilated(image, first, (1, 1), "SAME", dimension_numbers=layout))
        image = jax.lax.reduce_window(image, -np.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
        image = jax.lax.conv_general_dilated(
            image, depthwise, (2, 2), "SAME", dimension_numbers=layout, feature_group_count=8
        )
        return jax.nn.softmax(jax.nn.relu(image).mean((1, 2)) @ matrix)

    return network


def keras_cnn() -> Callable[[jax.Array], jax.Array]:
    """A Keras model with normalised channels."""
    os.environ["KERAS_BACKEND"] = "jax"
    import keras

    layers = keras.layers
    model = keras.Sequential(
        [
            keras.Input((16, 16, 1)),
            layers.Conv2D(8, 3, strides=2, padding="same", use_bias=False),
            layers.BatchNormalization(),
            layers.ReLU(6.0),
            layers.DepthwiseConv2D(3, padding="same"),
            layers.MaxPooling2D(),
            layers.Flatten(),
            layers.Dense(5, activation="softmax"),
        ]
    )
    return lambda image: model(image, training=False)


def main() -> None:
    """Convert a network."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--keras", action="store_true", help="convert a Keras model")
    given = parser.parse_args()
    folder: Path = given.output
    folder.mkdir(parents=True, exist_ok=True)
    image = jax.ShapeDtypeStruct((1, 16, 16, 1), np.float32)
    name, network = ("keras", keras_cnn) if given.keras else ("cnn", cnn)
    (folder / f"{name}.tflite").write_bytes(converted(network(), image, names=["image"]))


if __name__ == "__main__":
    main()
