"""Trains an autoencoder on handwritten digits, quantises it and writes `novelty.tflite`.

It gives back what it has learnt to expect of an 8x8 scan; where that differs much from what it was given, the scan is
no digit. The data are those of `../digits/train.py`, scikit-learn's handwritten digits. FULLY_CONNECTED only, int8.

Needs what `../digits/train.py` needs; from the repository's root: `tf/bin/python examples/novelty/train.py`.
"""

from __future__ import annotations

import os
from pathlib import Path

os.environ |= {"TF_USE_LEGACY_KERAS": "1", "TF_CPP_MIN_LOG_LEVEL": "2", "TF_ENABLE_ONEDNN_OPTS": "0"}

import numpy as np
import tensorflow as tf
from sklearn.datasets import load_digits

HERE = Path(__file__).resolve().parent
SEED = 1
EPOCHS = 150


def build_model() -> tf.keras.Model:
    """64 pixels with values 0 to 1 in and out, through 12 numbers."""
    layers = tf.keras.layers
    pixels = layers.Input((64,), name="pixels")
    hidden = layers.Dense(32, activation="relu")(pixels)
    code = layers.Dense(12, activation="relu")(hidden)
    hidden = layers.Dense(32, activation="relu")(code)
    return tf.keras.Model(pixels, layers.Dense(64, name="expected")(hidden), name="novelty")


def convert(model: tf.keras.Model, pixels: np.ndarray) -> bytes:
    """Full integer quantisation; the signature is `pixels` -> `expected`."""

    @tf.function(input_signature=[tf.TensorSpec((1, 64), tf.float32, name="pixels")])
    def serve(pixels: tf.Tensor) -> dict[str, tf.Tensor]:
        return {"expected": model(pixels, training=False)}

    module = tf.Module()
    module.serve, module.model = serve, model
    converter = tf.lite.TFLiteConverter.from_concrete_functions([serve.get_concrete_function()], module)
    converter.optimizations = [tf.lite.Optimize.DEFAULT]
    converter.representative_dataset = lambda: ({"pixels": image[np.newaxis]} for image in pixels)
    converter.target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS_INT8]
    converter.inference_input_type = converter.inference_output_type = tf.int8
    return converter.convert()


def main() -> None:
    """Train, convert, write, and say how well digits and noise are told apart."""
    tf.keras.utils.set_random_seed(SEED)
    tf.config.experimental.enable_op_determinism()
    pixels = (load_digits().data / 16).astype(np.float32)
    order = np.random.default_rng(SEED).permutation(len(pixels))
    train, held_out = pixels[order[450:]], pixels[order[:450]]
    model = build_model()
    rate = tf.keras.optimizers.schedules.CosineDecay(4e-3, EPOCHS * -(-len(train) // 32))
    model.compile(tf.keras.optimizers.Adam(rate), "mse")
    model.fit(train, train, batch_size=32, epochs=EPOCHS, verbose=0)
    content = convert(model, train)
    (HERE / "novelty.tflite").write_bytes(content)
    noise = np.random.default_rng(SEED).permuted(held_out, axis=1)
    for what, given in (("digits", held_out), ("the same pixels shuffled", noise)):
        error = np.mean((model.predict(given, verbose=0) - given) ** 2, axis=1)
        print(
            f"{what}: mean squared error {np.percentile(error, 5):.4f} to {np.percentile(error, 95):.4f} (5 % to 95 %)"
        )
    print(f"{len(content)} bytes")


if __name__ == "__main__":
    main()
