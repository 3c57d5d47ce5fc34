"""stillpool: from a trained TFLite model to plain C with every byte of RAM planned at compile time."""
