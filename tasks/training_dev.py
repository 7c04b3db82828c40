"""How good a network is on the dev sets while it is trained: its loss, and its BLEU if it is asked
for.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from model.config import DecodingConfig, TrainingConfig
from storage.errors import ConfigError
from tasks.decoding import Models, translate_rows
from tasks.metrics.mteval import count_corpus
from tasks.text.detokenise import detokenise
from tasks.text.units import PairCoder

if TYPE_CHECKING:
    from model.batches import Example
    from model.translator import Translator
    from model.vocabulary import Vocabulary

LOSS_BATCH = 80
"""Pairs that are measured at once where batches are counted in words."""


@dataclass(frozen=True, slots=True)
class DevText:
    """A dev sentence with its references, for BLEU."""

    row: Mapping[str, Any]
    """Row of a `tagged` table, in words."""
    references: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DevTexts:
    """Dev sentences, and what it takes to translate them."""

    sentences: tuple[DevText, ...]
    vocabularies: "tuple[Vocabulary, Vocabulary]"
    coder: PairCoder

    def bleu(self, translations: Sequence[Sequence[str]]) -> float:
        """Return BLEU as mteval-v11b makes it: lower case, the shortest reference.

        A sentence with fewer references than others counts those that it has.
        """
        most = max(len(each.references) for each in self.sentences)
        # A repeated reference adds no n-gram and is no shorter, so it changes nothing.
        padded = [
            (*each.references, *each.references[:1] * (most - len(each.references)))
            for each in self.sentences
        ]
        texts = [detokenise(words) for words in translations]
        streams = list(zip(*padded, strict=True))
        return count_corpus([texts], streams, flavour="v11b").scores()[0].value


@dataclass(frozen=True, slots=True)
class Measured:
    """How good a network is on dev; NaN where nothing was measured."""

    loss: float = math.nan
    bleu: float = math.nan


@dataclass(frozen=True, slots=True)
class Dev:
    """The dev sets of a training; there may be none."""

    examples: "Sequence[Example]" = ()
    texts: DevTexts | None = None
    """Only where networks are compared by BLEU."""

    def measure(
        self, translator: "Translator", config: TrainingConfig, stopped: Callable[[], bool]
    ) -> Measured | None:
        """Measure a network, or return None once `stopped` says so.

        Raises:
            ConfigError: dev cannot be translated with these settings.
        """
        loss = self._loss(translator, config, stopped)
        translations = list(self._translations(translator, config, stopped))
        if stopped():
            return None
        if self.texts is None or not self.texts.sentences:
            return Measured(loss)
        return Measured(loss, self.texts.bleu(translations))

    def _loss(
        self, translator: "Translator", config: TrainingConfig, stopped: Callable[[], bool]
    ) -> float:
        from model.fit import losses_of_batches

        if not self.examples:
            return math.nan
        size = config.batch_size if config.batch_unit == "sentences" else LOSS_BATCH
        total, words = 0.0, 0
        for loss, count in losses_of_batches(translator, self.examples, size, config.precision):
            total, words = total + loss, words + count
            if stopped():
                return math.nan
        return total / max(words, 1)

    def _translations(
        self, translator: "Translator", config: TrainingConfig, stopped: Callable[[], bool]
    ) -> Iterator[Sequence[str]]:
        if self.texts is None:
            return
        decoding = DecodingConfig(beam=config.validation_beam, precision=config.precision)
        models = Models((translator,), *self.texts.vocabularies, decoding, {}, self.texts.coder)
        rows = [each.row for each in self.texts.sentences]
        for made in translate_rows(models, rows):
            if stopped():
                return
            yield made.row["words"]


def check_dev(dev: Dev, config: TrainingConfig) -> None:
    """Refuse rules that need a dev set where there is none.

    Raises:
        ConfigError: there is no dev set, and one is needed.
    """
    has_texts = dev.texts is not None and dev.texts.sentences
    if config.best_by == "bleu" and not has_texts:
        raise ConfigError(
            '[training] best_by is "bleu", but there is no dev set to translate. Add a [[testset]] '
            'with role = "dev", or set best_by to "loss".'
        )
    if config.patience and not dev.examples:
        raise ConfigError(
            f"[training] patience is {config.patience}, but there is no dev set to measure on. Add "
            'a [[testset]] with role = "dev", or set patience to 0.'
        )
