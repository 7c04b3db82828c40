"""Settings of word alignment."""

from dataclasses import dataclass
from typing import Literal, get_args

from storage.errors import ConfigError

Engine = Literal["joint-hmm", "thot-hmm", "thot-ibm4", "thot-fast-align", "thot-eflomal", "eflomal"]
Heuristic = Literal["intersection", "union", "grow-diag", "grow-diag-final", "grow-diag-final-and"]
LONGEST_SENTENCE = 200
"""sil-thot has no alignment for longer sentences, and the time of every engine grows with them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignmentConfig:
    """How words are linked: a model in both directions, made one by a heuristic."""

    engine: Engine = "thot-hmm"
    """`joint-hmm`: our HMM, whose directions are trained to agree; the fewest wrong links.
    `thot-hmm`, `thot-ibm4`, `thot-fast-align`, `thot-eflomal`: the models of sil-thot. `eflomal`:
    the separate program, which must be installed and has no seed, so its links cannot be made
    again."""
    training_pairs: int = 50_000
    """Most pairs that train the aligner, drawn by their ids; all pairs are linked. It bounds the
    memory and the time of the training, whatever the size of the text."""
    ibm1_iterations: int = 5
    """EM iterations of IBM Model 1, from whose lexicon the other models start; for
    `thot-fast-align`, which starts from nothing, those of the model itself."""
    hmm_iterations: int = 2
    """EM iterations of the HMM, and of the model that starts from it; more of them fitted rare
    words too closely, on the sample as on law texts."""
    known_weight: float = 10.0
    """How many times likelier `joint-hmm` takes a word pair that everybody knows (function words,
    numerals, months, names as they are spelled). The models of sil-thot know nothing of it; with
    more than 1 their links of words that have one such counterpart in the pair are replaced. 1
    trusts the corpus alone."""
    borrowed_links: float = 10.0
    """How many links' worth of evidence a rare word borrows, in `joint-hmm`, from words that look
    like it; 0 borrows nothing."""
    empty_word: float = 0.2
    """Share of the words that have no counterpart, for `joint-hmm`; between 0 and 1."""
    one_sided: float = 0.5
    """How far a link of two words with content counts in the training of `joint-hmm` that one
    direction alone sees, where the other sees no link of the word at all; 0 to 1. With 0 most links
    are one word to one; more lets a word keep what belongs to it (`province` after a name)."""
    heuristic: Heuristic = "grow-diag-final-and"
    """How the links of both directions are made one, as Moses names it: only common ones, all, or
    the common ones grown by neighbours and, in the end, by words that have no link yet."""
    max_words: int = 80
    """Longest sentence, in words on either side, that is trained on and linked; time grows with its
    cube."""

    def __post_init__(self) -> None:
        for name, most in (("ibm1_iterations", 100), ("hmm_iterations", 100)):
            self._check_range(name, 1, most)
        self._check_range("max_words", 1, LONGEST_SENTENCE)
        self._check_range("training_pairs", 1, 1_000_000_000)
        self._check_range("known_weight", 1, 1000)
        self._check_range("borrowed_links", 0, 1000)
        self._check_range("empty_word", 0.001, 0.999)
        self._check_range("one_sided", 0, 1)
        self._check_choice("engine", get_args(Engine))
        self._check_choice("heuristic", get_args(Heuristic))

    def _check_range(self, name: str, least: float, most: float) -> None:
        value = getattr(self, name)
        if not least <= value <= most:
            raise ConfigError(
                f"alignment.{name} is {value}; it must be between {least} and {most}."
            )

    def _check_choice(self, name: str, choices: tuple[str, ...]) -> None:
        value = getattr(self, name)
        if value not in choices:
            raise ConfigError(
                f"alignment.{name} is {value!r}; expected one of {', '.join(choices)}."
            )
