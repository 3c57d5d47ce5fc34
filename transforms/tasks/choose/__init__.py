"""The choice of forms: what each would save, and take of flash and scratch memory, by estimates."""

from .choose_forms import OBJECTIVES, ChooseFormsPass
from .weigh import flash_steps

__all__ = ["OBJECTIVES", "ChooseFormsPass", "flash_steps"]
