"""Base of all C interfaces: names, texts and wishes of one style, for the driver and the projects."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from ...errors import UsageError
from .caller import Caller
from .description import Description, Pool


@dataclass(frozen=True)
class Asked:
    """Wishes of a request that an interface may be unable to fulfil."""

    workspace_pools: tuple[str, ...] = ()
    """Names of the workspace pools that the user declared."""
    constant_pools: tuple[str, ...] = ()
    state_pools: tuple[str, ...] = ()
    builtin_pools: bool = False
    double_buffer_inputs: bool = False
    released_callback: bool = False
    profile_hooks: bool = False
    externals: bool = False
    """Whether functions of the application compute operators."""


@dataclass(frozen=True)
class Interface(ABC):
    """A description seen through one style of C interface.

    A package adds a style by the entry point group `stillpool.interfaces`: a subclass, under the name that users give.
    """

    model: Description
    builtin_pools: bool = False
    """Whether the pools are static arrays of the artefact instead of the application's."""
    pools_of: Mapping[str, str] = field(default_factory=lambda: {})
    """By the pool's name: the identifier of the model that defines it, where several have built-in pools."""
    constants_of: str = ""
    """Identifier of the instance of the same model that holds the constants; empty where it is this one."""
    passed_pools: frozenset[str] = frozenset()
    """Names of pools that the application passes in although the others are built in."""

    style: ClassVar[str]
    """The name of the style, as the manifest states it."""
    workspace_io: ClassVar[str] = "all"
    """Which inputs and outputs lie in the workspace unless the user says otherwise."""
    pool_alignment: ClassVar[int] = 16
    """Alignment of pools that ask for none and whose buffers need no more, in bytes."""
    builds_constants_in: ClassVar[bool] = False
    """Whether constant pools are arrays of the artefact in any case."""
    success: ClassVar[int] = 0
    """Return value of the function that runs the network when all is well."""
    shared_headers: ClassVar[frozenset[str]] = frozenset()
    """Names of headers that are the same for all models."""
    refuses: ClassVar[frozenset[str]] = frozenset()
    """Options of the command line that the style cannot express."""

    @classmethod
    def builds_pools_in(cls, asked: Asked) -> bool:
        """Whether pools are static arrays of the artefact."""
        return asked.builtin_pools

    @classmethod
    def passes(cls, asked: Asked) -> frozenset[str]:
        """Names of pools that the application passes in although the others are built in."""
        return frozenset()

    @classmethod
    def check(cls, asked: Asked) -> None:
        """Refuse what the style cannot express.

        Raises:
            UsageError: names the option, and what to do.
        """
        for asks, option in (
            (asked.double_buffer_inputs, "--io double-buffer"),
            (asked.released_callback, "--io released-callback"),
            (asked.profile_hooks, "--profile-hooks"),
            (asked.externals, "--external"),
        ):
            if asks and option in cls.refuses:
                raise UsageError(
                    f"the interface '{cls.style}' has no place for {option}", remedy="use --interface native for that"
                )

    @property
    def stem(self) -> str:
        """The model's name in file names and in symbols that no application uses."""
        return self.model.identifier

    @property
    def constants_prefix(self) -> str:
        """The prefix of constants."""
        return self.constants_of or self.stem

    @property
    def network(self) -> str:
        """The static function that calls the operators."""
        return f"{self.stem}_network"

    def builds_in(self, pool: Pool) -> bool:
        """Whether a pool is a static array of the artefact."""
        return self.builtin_pools and pool.name not in self.passed_pools

    def builtin_pool(self, pool: Pool) -> str:
        """The array of a built-in pool."""
        return f"{self.pools_of.get(pool.name, self.stem)}_{pool.identifier}_pool"

    @property
    @abstractmethod
    def run_function(self) -> str:
        """The function, static or not, that runs the network once."""

    @property
    @abstractmethod
    def reserved(self) -> frozenset[str]:
        """Symbols of the interface that no weight or function of the model may take."""

    @property
    @abstractmethod
    def header_name(self) -> str:
        """The file that the sources and applications include."""

    @abstractmethod
    def header(self) -> str:
        """Its text: C99 and C++."""

    def other_headers(self, contents: Mapping[str, bytes]) -> dict[str, str]:
        """Further headers by file name; `contents` are the bytes of the constant pools by pool name."""
        return {}

    @abstractmethod
    def wrapper(self) -> str:
        """C text that follows the network in its file, and connects it to applications.

        The network is the function `network`; its parameters are `model.arguments`, pools as `int8_t *`.
        """

    @property
    @abstractmethod
    def caller(self) -> Caller:
        """How C programs call the model through this interface."""
