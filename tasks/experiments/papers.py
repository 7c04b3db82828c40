"""What the two papers compare and claim: the rows of their tables and the differences they report.

Figures of Context Gates (arXiv 1608.06043) are those of its table 2; of PhraseNet (arXiv
1606.01792) only differences between averages are known.
"""

from collections.abc import Sequence
from dataclasses import dataclass

SMT = ("smt", "smt-moses")
PHRASENET = (*SMT, "rnnsearch", "phrasenet-softmax", "phrasenet-gate")
"""Rows of table 1 of PhraseNet; its RNNsearch with the larger vocabulary is a variant of ours."""
TOGETHER = (
    "rnnsearch+context-gate", "phrasenet-softmax+context-gate", "phrasenet-gate+context-gate",
    "transformer", "transformer+phrase-softmax", "transformer+phrase-gate",
)  # fmt: skip
"""Systems that are in neither paper."""
CONTEXT_GATES = (
    *SMT, "groundhog-vanilla", "groundhog-vanilla+gate", "groundhog-gru",
    "groundhog-gru+gate-source", "groundhog-gru+gate-target", "groundhog-gru+gate",
    "groundhog-coverage", "groundhog-coverage+gate",
)  # fmt: skip
"""Rows of table 2 of Context Gates."""
ARCHITECTURE = (
    "groundhog-gru", "groundhog-gru+scalar", "groundhog-gru+gate-source[t]",
    "groundhog-gru+gate[t]", "groundhog-gru+gate[t,s]", "groundhog-gru+gate",
    "groundhog-gru+interpolation",
)  # fmt: skip
"""Rows of table 5 of Context Gates, and the static weights that its text compares with."""
ALIGNED = ("groundhog-gru", "groundhog-gru+gate", "groundhog-coverage", "groundhog-coverage+gate")
"""Rows of table 4 of Context Gates."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A difference between two systems that a paper reports, in BLEU on average over its tests."""

    paper: str
    text: str
    better: str
    worse: str
    difference: float | None
    """None where the paper says only which is better."""
    better_is_variant: bool = False
    """The first is the variant of the system with other sizes, such as a larger vocabulary."""
    worse_is_variant: bool = False
    is_near: bool = False
    """The paper says that the two are about as good."""


_P, _C = "PhraseNet", "Context Gates"
CLAIMS: Sequence[Claim] = (
    Claim(_P, "gate above RNNsearch", "phrasenet-gate", "rnnsearch", 3.45),
    Claim(_P, "softmax above RNNsearch", "phrasenet-softmax", "rnnsearch", 2.13),
    Claim(_P, "gate above softmax", "phrasenet-gate", "phrasenet-softmax", 1.32),
    Claim(
        _P, "larger vocabulary above the smaller", "rnnsearch", "rnnsearch", 1.80,
        better_is_variant=True,
    ),
    Claim(
        _P, "gate above the larger vocabulary", "phrasenet-gate", "rnnsearch", 1.65,
        worse_is_variant=True,
    ),
    Claim(_C, "gate on tanh", "groundhog-vanilla+gate", "groundhog-vanilla", 4.21),
    Claim(_C, "gate on GRU", "groundhog-gru+gate", "groundhog-gru", 2.29),
    Claim(_C, "gate on coverage", "groundhog-coverage+gate", "groundhog-coverage", 1.59),
    Claim(_C, "both sides above source", "groundhog-gru+gate", "groundhog-gru+gate-source", 0.87),
    Claim(_C, "both sides above target", "groundhog-gru+gate", "groundhog-gru+gate-target", 1.19),
    Claim(
        _C, "source above scalar, both read the state", "groundhog-gru+gate-source[t]",
        "groundhog-gru+scalar", 0.21,
    ),
    Claim(
        _C, "tanh with gate near GRU", "groundhog-vanilla+gate", "groundhog-gru", 0.49, is_near=True
    ),
    Claim(
        _C, "gate above static weights", "groundhog-gru+gate", "groundhog-gru+interpolation", None
    ),
    Claim(_C, "coverage with gate above Moses", "groundhog-coverage+gate", "smt", 3.32),
)  # fmt: skip
