"""What a linked program holds of a model, beside what was planned."""
