"""Trains the digits model, quantises it and writes `digits.tflite` and `samples.npz`.

The data are scikit-learn's handwritten digits (1,797 scans of 8x8 pixels with values 0 to 16, from UCI's "Optical
Recognition of Handwritten Digits" test set). The model is a small residual CNN, chosen so that it contains the
operators of an everyday image model: CONV_2D, DEPTHWISE_CONV_2D, ADD, MAX_POOL_2D, AVERAGE_POOL_2D, RESHAPE,
FULLY_CONNECTED, SOFTMAX. Weights are quantised per output channel, activations per tensor, input and output are int8.

Needs TensorFlow 2.21, tf-keras and scikit-learn, none of which the compiler needs:

    python -m venv tf && tf/bin/pip install tensorflow==2.21.0 tf-keras==2.21.0 scikit-learn==1.9.1 numpy==2.4.6
    tf/bin/python examples/digits/train.py
"""

from __future__ import annotations

import os
from pathlib import Path

# Set before TensorFlow is imported: one thread and fixed kernels, so that a machine reproduces its own result.
os.environ |= {"TF_USE_LEGACY_KERAS": "1", "TF_CPP_MIN_LOG_LEVEL": "2", "TF_ENABLE_ONEDNN_OPTS": "0"}

import numpy as np
import tensorflow as tf
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

HERE = Path(__file__).resolve().parent
SEED = 1
EPOCHS = 60
SAMPLES = 48
"""How many held-out images go into samples.npz, with their labels and the int8 model's scores."""


def build_model() -> tf.keras.Model:
    """8x8 float32 images with values 0 to 1 in, 10 probabilities out."""
    layers = tf.keras.layers
    image = layers.Input((8, 8), name="image")
    stem = layers.Conv2D(12, 3, padding="same", activation="relu")(layers.Reshape((8, 8, 1))(image))
    spatial = layers.DepthwiseConv2D(3, padding="same", activation="relu")(stem)
    mixed = layers.Conv2D(12, 1)(spatial)
    block = layers.ReLU()(layers.Add()([stem, mixed]))
    half = layers.MaxPool2D(2)(block)
    wide = layers.Conv2D(32, 3, activation="relu")(half)
    pooled = layers.AveragePooling2D(2)(wide)
    hidden = layers.Dropout(0.2)(layers.Flatten()(pooled))
    scores = layers.Dense(10, activation="softmax", name="scores")(hidden)
    return tf.keras.Model(image, scores, name="digits")


def shifted(image: np.ndarray, row: int, column: int) -> np.ndarray:
    """The 8x8 image moved by `row - 1` and `column - 1` pixels; what is uncovered is blank."""
    return np.pad(image, 1)[row : row + 8, column : column + 8]


def train(model: tf.keras.Model, images: np.ndarray, labels: np.ndarray) -> None:
    """Fit with Adam and a cosine schedule; images are shifted by up to one pixel at random."""
    steps = EPOCHS * -(-len(images) // 32)
    rate = tf.keras.optimizers.schedules.CosineDecay(4e-3, steps)
    model.compile(tf.keras.optimizers.Adam(rate), "sparse_categorical_crossentropy")
    generator = np.random.default_rng(SEED)
    for _ in range(EPOCHS):
        moved = np.stack([shifted(image, *generator.integers(0, 3, 2)) for image in images])
        model.fit(moved, labels, batch_size=32, verbose=0)


def convert(model: tf.keras.Model, images: np.ndarray) -> bytes:
    """Full integer quantisation, calibrated on `images`; the signature is `image` -> `scores`."""

    @tf.function(input_signature=[tf.TensorSpec((1, 8, 8), tf.float32, name="image")])
    def serve(image: tf.Tensor) -> dict[str, tf.Tensor]:
        return {"scores": model(image, training=False)}

    module = tf.Module()
    module.serve, module.model = serve, model
    converter = tf.lite.TFLiteConverter.from_concrete_functions([serve.get_concrete_function()], module)
    converter.optimizations = [tf.lite.Optimize.DEFAULT]
    converter.representative_dataset = lambda: ({"image": image[np.newaxis]} for image in images)
    converter.target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS_INT8]
    converter.inference_input_type = converter.inference_output_type = tf.int8
    return converter.convert()


def int8_scores(content: bytes, images: np.ndarray) -> np.ndarray:
    """What LiteRT's reference kernels answer, int8 [image, class]."""
    interpreter = tf.lite.Interpreter(
        model_content=content,
        experimental_op_resolver_type=tf.lite.experimental.OpResolverType.BUILTIN_REF,
    )
    run = interpreter.get_signature_runner()
    scale, zero_point = run.get_input_details()["image"]["quantization"]
    # Halves round up, as main.c does it.
    quantised = np.clip(np.floor(images / np.float32(scale) + np.float32(0.5)) + zero_point, -128, 127).astype(np.int8)
    return np.stack([run(image=image[np.newaxis])["scores"][0].copy() for image in quantised])


def main() -> None:
    """Train, convert, measure, write."""
    tf.keras.utils.set_random_seed(SEED)
    tf.config.experimental.enable_op_determinism()
    tf.config.threading.set_inter_op_parallelism_threads(1)
    tf.config.threading.set_intra_op_parallelism_threads(1)
    data = load_digits()
    train_pixels, test_pixels, train_labels, test_labels = train_test_split(
        data.images, data.target, test_size=0.25, random_state=SEED, stratify=data.target
    )
    train_images, test_images = (np.float32(pixels) / np.float32(16) for pixels in (train_pixels, test_pixels))
    model = build_model()
    train(model, train_images, train_labels)
    content = convert(model, train_images)
    scores = int8_scores(content, test_images)
    (HERE / "digits.tflite").write_bytes(content)
    np.savez_compressed(
        HERE / "samples.npz",
        pixels=test_pixels[:SAMPLES].astype(np.uint8),
        labels=test_labels[:SAMPLES].astype(np.uint8),
        scores=scores[:SAMPLES],
    )
    float_right = int(np.sum(model.predict(test_images, verbose=0).argmax(1) == test_labels))
    int8_right = int(np.sum(scores.argmax(1) == test_labels))
    held_out = len(test_labels)
    print(f"training images: {len(train_labels)}, held-out images: {held_out}, parameters: {model.count_params()}")
    print(f"float32: {float_right} of {held_out} right ({float_right / held_out:.2%})")
    print(f"int8:    {int8_right} of {held_out} right ({int8_right / held_out:.2%}), {len(content)} bytes")


if __name__ == "__main__":
    main()
