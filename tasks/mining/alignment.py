"""Link the words of sentence pairs: one way to train, keep and use any of the aligners.

Training sees the pairs in an order of their own content, so the links do not depend on the order,
shards or processes in which the pairs came. Which words form a phrase is decided elsewhere
(`extraction.py`). The separate program `eflomal` is run by `tasks/eflomal.py`.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal, Protocol, get_args

from storage.errors import ConfigError, InputError
from tasks.mining.alignment_config import AlignmentConfig
from tasks.mining.anchors import anchored
from tasks.mining.joint_hmm import JointHmm
from tasks.mining.symmetrise import Link, Links, symmetrise
from tasks.mining.thot_engines import ThotModels, sampled_links
from tasks.mining.word_table import WordPair, Words

UnalignedReason = Literal["empty_side", "too_long"]
UNALIGNED_REASONS = get_args(UnalignedReason)

_ONE_FILE = "joint.safetensors"


class Models(Protocol):
    """Trained models of both directions, whatever they are."""

    def directed_links(
        self, pairs: Sequence[WordPair]
    ) -> tuple[list[list[Link]], list[list[Link]]]:
        """Return the links `(source index, target index)` of both directions for each pair."""

    def save(self, prefix: str) -> None:
        """Write files whose names start with `prefix`, in a folder that exists."""


def why_unaligned(source: Words, target: Words, config: AlignmentConfig) -> UnalignedReason | None:
    """Say why a pair gets no links, or None if it is aligned."""
    if not source or not target:
        return "empty_side"
    if max(len(source), len(target)) > config.max_words:
        return "too_long"
    return None


def count_unaligned(
    pairs: Iterable[WordPair], config: AlignmentConfig
) -> dict[UnalignedReason, int]:
    """Count the pairs that get no links, by reason; reasons that do not occur are left out."""
    reasons = Counter(why_unaligned(source, target, config) for source, target in pairs)
    return {reason: reasons[reason] for reason in UNALIGNED_REASONS if reasons[reason]}


def fit_pairs(pairs: Iterable[WordPair], config: AlignmentConfig) -> list[WordPair]:
    """Return the pairs that an aligner is trained on, in the order of their own content.

    Raises:
        InputError: there is none.
    """
    fit = sorted(
        (list(source), list(target))
        for source, target in pairs
        if why_unaligned(source, target, config) is None
    )
    if not fit:
        raise InputError(
            "alignment: expected at least one pair with words on both sides and at most "
            f"{config.max_words} on each, found none. See `phrasenet corpus dropped`, "
            "or raise alignment.max_words."
        )
    return list(fit)


def align(pairs: Sequence[WordPair], config: AlignmentConfig) -> list[Links]:
    """Train on the pairs and link each of them.

    Args:
        pairs: words of both sides.
        config: engine, iterations, heuristic and longest sentence.

    Returns:
        One tuple of links for each pair, in the order of `pairs`; `()` where `why_unaligned` has a
        reason.

    Raises:
        InputError: no pair can be aligned, or the aligner's result is not finite.
    """
    return Aligner.train(pairs, config).align_pairs(pairs)


class Aligner:
    """Trained models of both directions, with which new pairs can be linked too."""

    def __init__(self, models: Models, config: AlignmentConfig) -> None:
        self._models = models
        self._config = config

    @classmethod
    def train(cls, pairs: Iterable[WordPair], config: AlignmentConfig) -> "Aligner":
        """Train on pairs, whatever their order.

        Raises:
            InputError: no pair can be aligned.
        """
        fit = fit_pairs(pairs, config)
        return cls(_trained(fit, config), config)

    def align_pairs(self, pairs: Sequence[WordPair]) -> list[Links]:
        """Link the words of each pair, in the given order; see `align`."""
        fit = [i for i, (s, t) in enumerate(pairs) if why_unaligned(s, t, self._config) is None]
        directed = self._models.directed_links([pairs[i] for i in fit])
        found: list[Links] = [()] * len(pairs)
        for i, forward, backward in zip(fit, *directed, strict=True):
            if self._is_anchored():
                forward, backward = anchored(*pairs[i], forward, backward)
            found[i] = symmetrise(forward, backward, self._config.heuristic)
        return found

    def _is_anchored(self) -> bool:
        """Say whether known words are linked afterwards: our own HMM weighs them itself."""
        return self._config.known_weight > 1 and not isinstance(self._models, JointHmm)

    def with_settings(self, config: AlignmentConfig) -> "Aligner":
        """Return the same models, used with another heuristic or longest sentence."""
        assert config.engine == self._config.engine, "another engine has other models"
        return Aligner(self._models, config)

    def align_pair(self, source: Words, target: Words) -> Links:
        """Link the words of one pair."""
        return self.align_pairs([(source, target)])[0]

    def save(self, prefix: str) -> None:
        """Write the models as files whose names start with `prefix`, in a folder that exists.

        Raises:
            InputError: the files cannot be written.
        """
        try:
            self._models.save(_place(prefix, self._models))
        except OSError as error:
            raise InputError(
                f"{prefix}: the alignment model cannot be written ({error}). "
                "Check that the folder exists, may be written and has space left."
            ) from error

    @classmethod
    def load(cls, prefix: str, config: AlignmentConfig) -> "Aligner":
        """Read what `save` wrote; the loaded aligner gives the same links.

        Raises:
            InputError: the files are missing or damaged.
        """
        try:
            if config.engine in ("joint-hmm", "thot-eflomal"):
                return cls(JointHmm.load(f"{prefix}{_ONE_FILE}"), config)
            return cls(ThotModels.load(prefix, config), config)
        except (OSError, ValueError, KeyError) as error:
            raise InputError(
                f"{prefix}: no alignment model of the engine {config.engine} can be read here "
                f"({error}). Train it again: `phrasenet run --from aligner`."
            ) from error


def _place(prefix: str, models: Models) -> str:
    return f"{prefix}{_ONE_FILE}" if isinstance(models, JointHmm) else prefix


def _trained(fit: Sequence[WordPair], config: AlignmentConfig) -> Models:
    if config.engine == "joint-hmm":
        return JointHmm.train(fit, config)
    if config.engine == "thot-eflomal":
        return JointHmm.of_links(fit, sampled_links(fit), config)
    if config.engine == "eflomal":
        raise ConfigError(
            'alignment.engine is "eflomal", a program that only a whole run or `phrasenet align` '
            "can start. Use one of the others here."
        )
    return ThotModels.train(fit, config)
