from collections.abc import Sequence
from typing import final

MOST_WORTH: int

@final
class KernelRules:
    def __init__(
        self,
        suits: Sequence[Sequence[int]],
        trump: int,
        ladders: Sequence[Sequence[str]],
        trick_bonus: Sequence[int],
        partners: Sequence[int],
    ) -> None: ...
    @property
    def cards(self) -> int: ...
    @property
    def hand_size(self) -> int: ...
