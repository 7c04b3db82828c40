"""Joey NMT beside this project's models: same sizes, same batches, its own layers and search.

Joey NMT 2.3.0 is no dependency. It goes into a folder of its own, since its requirements do not fit
beside this project's: see `INSTALL`. Its model, loss and search are called as it calls them;
none of its data loading, validation or logging is timed.

Joey's network: bidirectional GRU, GRU decoder with Bahdanau attention, input feeding and bridge.
"""

import importlib.util
from typing import Any

import torch
from torch import Tensor

from benchmarks.speed_data import Size
from model.batches import SourceBatch, TargetBatch

INSTALL = (
    "pip install --no-deps --target JOEY joeynmt==2.3.0 'importlib_metadata<8' zipp sentencepiece "
    "sacremoses subword-nmt pyyaml tensorboard protobuf absl-py six; PYTHONPATH=JOEY"
)
"""How to have it beside; JOEY is a folder."""

_UNK, _PAD, _BOS, _EOS = range(4)
_SPECIALS = 4
"""Joey has two special entries more than this project: its word ids are shifted by two."""


def is_there() -> bool:
    """Say whether Joey NMT can be imported."""
    return importlib.util.find_spec("joeynmt") is not None


class _Words:
    """As much of a vocabulary as Joey's model reads."""

    pad_index, bos_index, eos_index, unk_index = _PAD, _BOS, _EOS, _UNK
    sep_index = None
    specials = ("<unk>", "<pad>", "<s>", "</s>")
    lang_tags = ()

    def __init__(self, size: int) -> None:
        self._size = size

    def __len__(self) -> int:
        return self._size

    def lookup(self, token: str) -> int:
        """Return the id of a special token."""
        return self.specials.index(token)


class Joey:
    """One model with its optimizer."""

    def __init__(self, size: Size) -> None:
        from joeynmt.model import build_model  # type: ignore[import-not-found]

        side = {"embeddings": {"embedding_dim": size.embedding}, "hidden_size": size.hidden}
        torch.manual_seed(1)
        self.model: Any = build_model(
            {"encoder": {**side, "rnn_type": "gru"},
             "decoder": {**side, "type": "recurrent", "rnn_type": "gru", "attention": "bahdanau",
                         "init_hidden": "bridge", "input_feeding": True}},
            _Words(size.vocabulary),
            _Words(size.vocabulary),
        )  # fmt: skip
        self.model.loss_function = ("crossentropy", 0.0)
        self._optimizer = torch.optim.Adam(self.model.parameters(), lr=1e-3)

    def step(self, source: SourceBatch, target: TargetBatch) -> float:
        """Train on one batch: forward, backward, clipping, Adam; returns the loss."""
        self.model.train()
        batch = _batch(source, target)
        self.model.zero_grad()
        loss, _, _, _ = self.model(return_type="loss", **vars(batch))
        loss = batch.normalize(loss, "batch")
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self._optimizer.step()
        return float(loss)

    @torch.no_grad()
    def translate(self, source: SourceBatch, beam: int, length: int) -> Tensor:
        """Search translations of exactly so many words."""
        from joeynmt.search import beam_search  # type: ignore[import-not-found]

        self.model.eval()
        batch = _batch(source, None)
        encoded, hidden, _, _ = self.model(return_type="encode", **vars(batch))
        found: Tensor = beam_search(
            self.model,
            beam,
            encoded,
            hidden,
            batch.src_mask,
            max_output_length=length,
            alpha=1.0,
            min_output_length=length,
        )[0]
        return found


def _batch(source: SourceBatch, target: TargetBatch | None) -> Any:
    """Write a batch in Joey's form, longest source first as its training sorts it."""
    from joeynmt.batch import Batch  # type: ignore[import-not-found]

    words_BJ = _ids(source.ids_BJ, source.mask_BJ)
    reference_BI = None
    if target is not None:
        ids_BI = _ids(target.ids_IB.T, target.mask_IB.T)
        reference_BI = torch.cat([torch.full_like(ids_BI[:, :1], _BOS), ids_BI], 1)
    batch = Batch(
        src=words_BJ,
        src_length=source.mask_BJ.sum(1),
        src_prompt_mask=None,
        trg=reference_BI,
        trg_prompt_mask=None,
        indices=torch.arange(len(words_BJ)),
        device=torch.device("cpu"),
        pad_index=_PAD,
        eos_index=_EOS,
    )
    batch.sort_by_src_length()
    return batch


def _ids(ids_BJ: Tensor, mask_BJ: Tensor) -> Tensor:
    """Shift words past Joey's special entries, and put its end mark and padding in place."""
    last_BJ = mask_BJ & (mask_BJ.cumsum(1) == mask_BJ.sum(1, keepdim=True))
    shifted_BJ = (ids_BJ + _SPECIALS - 2).masked_fill(last_BJ, _EOS)
    return shifted_BJ.masked_fill(~mask_BJ, _PAD)
