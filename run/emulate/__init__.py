"""Running compiled models on emulated processors."""
