"""Row streaming: every row of a tensor is a buffer, and operators run row by row, as deep in the network as they can.

The tasks say which rows of its inputs a row of an output needs (`sliding`, `folding`); `network` is the graph of rows,
`order`, `segments` and `turns` find an order in which few bytes are live, and `emit` writes it as a straight line of
calls.
"""
