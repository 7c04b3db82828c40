"""Word alignment with the models of sil-thot, one for each direction.

Each starts from IBM Model 1. EFLOMAL is a sampler: the links that it draws while it is trained are
better than those it finds afterwards, so what it drew is counted into the tables of our own HMM,
which then links old and new pairs alike.

Where sil-thot's threads add to one count in the order in which they come, the last bits of a model
differ from run to run; such engines are trained with one thread.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import thot.alignment as thot
from threadpoolctl import threadpool_limits

from tasks.mining.alignment_config import AlignmentConfig
from tasks.mining.finite import check_finite
from tasks.mining.symmetrise import Link

Words = Sequence[str]
WordPair = tuple[Words, Words]

_MODELS: dict[str, Callable[..., Any]] = {
    "thot-hmm": thot.HmmAlignmentModel,
    "thot-ibm4": thot.Ibm4AlignmentModel,
    "thot-fast-align": thot.FastAlignModel,
}
_ONE_THREAD = frozenset({"thot-fast-align", "thot-ibm4"})
_RESERVED = frozenset({"NULL", "UNKNOWN_WORD", "<UNUSED_WORD>"})
"""Names that sil-thot gives to words of its own."""
_SEED = 1
_DIRECTIONS = ("forward", "backward")


@dataclass(frozen=True, slots=True)
class ThotModels:
    """Trained models of both directions."""

    forward: Any
    backward: Any

    @classmethod
    def train(cls, pairs: Sequence[WordPair], config: AlignmentConfig) -> "ThotModels":
        """Train both directions, one after the other: most engines use all processors by
        themselves."""
        escaped = [(_escaped(source), _escaped(target)) for source, target in pairs]
        threads = 1 if config.engine in _ONE_THREAD else None
        with threadpool_limits(threads, user_api="openmp"):
            return cls(
                _train(escaped, config),
                _train([(target, source) for source, target in escaped], config),
            )

    def directed_links(
        self, pairs: Sequence[WordPair]
    ) -> tuple[list[list[Link]], list[list[Link]]]:
        """Return the links `(source index, target index)` of both directions for each pair.

        Raises:
            InputError: a result is not finite.
        """
        sources = [_escaped(source) for source, _ in pairs]
        targets = [_escaped(target) for _, target in pairs]
        backward = _best_links(self.backward, targets, sources)
        return (
            _best_links(self.forward, sources, targets),
            [[(s, t) for t, s in links] for links in backward],
        )

    def save(self, prefix: str) -> None:
        """Write both models as files whose names start with `prefix`.

        Raises:
            OSError: the files cannot be written.
        """
        for model, direction in zip((self.forward, self.backward), _DIRECTIONS, strict=True):
            if not model.print(f"{prefix}{direction}"):
                raise OSError(f"sil-thot cannot write {prefix}{direction}")

    @classmethod
    def load(cls, prefix: str, config: AlignmentConfig) -> "ThotModels":
        """Read what `save` wrote.

        Raises:
            OSError: the files are missing or damaged.
        """
        models = []
        for direction in _DIRECTIONS:
            model = _MODELS[config.engine]()
            if not model.load(f"{prefix}{direction}"):
                raise OSError(f"sil-thot cannot read {prefix}{direction}")
            models.append(model)
        return cls(*models)


def _train(pairs: Sequence[tuple[list[str], list[str]]], config: AlignmentConfig) -> Any:
    """Train the model that gives each word of the second side a word of the first."""
    if config.engine == "thot-fast-align":
        return _run_em(_filled(thot.FastAlignModel(), pairs), config.ibm1_iterations)
    model = _run_em(_filled(thot.Ibm1AlignmentModel(), pairs), config.ibm1_iterations)
    model = _run_em(thot.HmmAlignmentModel(model), config.hmm_iterations)
    if config.engine == "thot-ibm4":
        model = _run_em(thot.Ibm4AlignmentModel(model), config.hmm_iterations)
    return model


def _filled(model: Any, pairs: Sequence[tuple[list[str], list[str]]]) -> Any:
    for first, second in pairs:
        model.add_sentence_pair(first, second)
    return model


def _run_em(model: Any, iterations: int) -> Any:
    model.start_training()
    for _ in range(iterations):
        model.train()
    model.end_training()
    return model


def _best_links(model: Any, first: list[list[str]], second: list[list[str]]) -> list[list[Link]]:
    """Give the links `(index in first, index in second)` of the most probable alignment of each
    pair."""
    found: list[list[Link]] = []
    for position, (log_probability, matrix) in enumerate(model.get_best_alignments(first, second)):
        check_finite(log_probability, (first[position], second[position]))
        rows, columns = matrix.to_numpy().nonzero()
        found.append(list(zip(rows.tolist(), columns.tolist(), strict=True)))
    return found


def sampled_links(pairs: Sequence[WordPair]) -> tuple[list[list[Link]], list[list[Link]]]:
    """Return what sil-thot's EFLOMAL draws for the pairs that train it, in both directions."""
    escaped = [(_escaped(source), _escaped(target)) for source, target in pairs]
    backward = _drawn([(target, source) for source, target in escaped])
    return _drawn(escaped), [[(s, t) for t, s in links] for links in backward]


def _drawn(pairs: Sequence[tuple[list[str], list[str]]]) -> list[list[Link]]:
    model = thot.EflomalAlignmentModel()
    model.emit_training_alignments = True
    model.deterministic, model.seed = True, _SEED
    _filled(model, pairs).start_training()
    for _ in range(model.scheduled_iterations):
        model.train()
    model.end_training()
    found = []
    for number in range(len(pairs)):
        log_probability, matrix = model.get_training_alignment(number)
        check_finite(log_probability, pairs[number])
        rows, columns = matrix.to_numpy().nonzero()
        found.append(list(zip(rows.tolist(), columns.tolist(), strict=True)))
    return found


def _escaped(words: Words) -> list[str]:
    """Keep words of the text apart from the aligner's own."""
    return [f"\\{word}" if word in _RESERVED or word.startswith("\\") else word for word in words]
