"""Cost of loops on a processor: instructions and bytes of code, estimated before any C compiler has seen them."""
