"""What long work is doing at the moment; see `stillpool.progress`, which all rooms use."""

from ..progress import Listener, listening, tell

__all__ = ["Listener", "listening", "tell"]
