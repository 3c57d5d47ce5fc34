"""Pictures of memory plans: operators from left to right, bytes of a pool from bottom to top."""
