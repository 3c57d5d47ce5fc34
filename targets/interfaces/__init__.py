"""The C interfaces of a compiled model: what a model looks like to the application that links it."""
