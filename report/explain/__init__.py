"""Why a plan takes what it takes, and what would make it take less; every figure comes from planning anew."""
