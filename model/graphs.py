"""Training steps as CUDA graphs: one for each size of batch, recorded once and then repeated.

A step of a recurrent network is thousands of small operations, and launching them one by one can
take longer than doing them. Recorded as one graph they are launched at once. A graph repeats
the same operations on the same memory, so batches are widened to few sizes (`rooms.py`), are copied
into the memory that their graph reads, and gradients are added up where all graphs put them.

Each size of batch is first computed as usual, a few times. Then it is recorded, and the first time
that it comes again both ways are compared: a graph that does not find the same bits, or not with
the same random numbers, is never used. So it does not matter to a training that is resumed which
of its steps were graphs. Clipping, the optimizer and the moving mean stay outside: a few dozen
launches, with a step size that changes.
"""

import dataclasses
import warnings
from collections import Counter, OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor

from model.buffer_pool import BufferPool
from model.noise import Noise
from model.packing import all_places
from model.placing import tensors_of
from model.rooms import Piece, Room
from model.training_config import TrainingConfig
from model.translator import Translator

USUAL_RUNS = 2
"""Times that a size is computed as usual before it is recorded: whatever libraries set up at their
first call must be there by then.
"""
MOST_GRAPHS = 64
"""Graphs that are kept; the one that was used longest ago leaves first. They share their memory but
for their inputs and what CUDA keeps for each operation.
"""
Work = Callable[[], None]


class Recorder(Protocol):
    """What records work on tensors that stay where they are."""

    def run(self, work: Work) -> None:
        """Do the work as it must be done before it can be recorded."""

    def record(self, work: Work, stream: torch.Generator) -> Work:
        """Record the work and return what repeats it; nothing is computed here.

        Args:
            work: reads and writes the same memory at each call.
            stream: random numbers that it draws; each repetition draws on.
        """


class CudaRecorder:
    """CUDA graphs that share their memory; all are recorded on one stream of their own."""

    def __init__(self, device: torch.device) -> None:
        self._stream = torch.cuda.Stream(device)
        self._pool = torch.cuda.graph_pool_handle()

    def run(self, work: Work) -> None:
        """Do the work on the stream that records, so that cuBLAS has its memory for it."""
        usual = torch.cuda.current_stream()
        self._stream.wait_stream(usual)
        with torch.cuda.stream(self._stream):
            work()
        usual.wait_stream(self._stream)

    def record(self, work: Work, stream: torch.Generator) -> Work:
        """Record the work as a graph."""
        graph, begin = torch.cuda.CUDAGraph(), stream.get_state()
        graph.register_generator_state(stream)
        # Other threads pin the next batches meanwhile, which is no part of the graph.
        recording = torch.cuda.graph(
            graph, self._pool, self._stream, capture_error_mode="thread_local"
        )
        try:
            # torch leaves its own stream in force where a recording fails.
            with torch.cuda.stream(torch.cuda.current_stream()), recording:
                work()
        except RuntimeError:
            # The generator takes itself for one that is being recorded, so it gets a new state.
            fresh = torch.Generator(stream.device)
            fresh.set_state(begin)
            stream.graphsafe_set_state(fresh)
            raise
        replay: Work = graph.replay
        return replay


@dataclass(frozen=True, slots=True)
class _Size:
    """A size of batch with the memory that its batches are copied to."""

    piece: Piece
    divisor: Tensor


@dataclass(slots=True)
class _Recorded:
    size: _Size
    repeat: Work
    checked: bool = False
    """Whether it was found to do what the usual way does."""


class Graphs:
    """Gradients of the pieces of a training's batches, recorded where that is possible."""

    def __init__(
        self,
        translator: Translator,
        stream: torch.Generator,
        config: TrainingConfig,
        recorder: Recorder,
        most: int = MOST_GRAPHS,
    ) -> None:
        self._translator, self._stream, self._config = translator, stream, config
        self._recorder: Recorder | None = recorder
        self._most = most
        self._parameters = list(translator.parameters())
        self._sums = [torch.zeros_like(each) for each in self._parameters]
        self._total = torch.zeros((), dtype=torch.float64, device=translator.device)
        self._used: dict[Room, frozenset[int]] = {}
        self._runs: Counter[Room] = Counter()
        self._recorded: OrderedDict[Room, _Recorded] = OrderedDict()

    def add_up(self, pieces: Sequence[Piece], divisor: float) -> Tensor:
        """Put the gradient of a batch into the parameters' `grad`; see `gradients.add_up_gradient`.

        Args:
            pieces: of the batch, widened.
            divisor: what the sum of the losses is divided by.

        Returns:
            The sum of the negative log-likelihoods.
        """
        torch._foreach_zero_(self._sums)
        self._total.zero_()
        used: set[int] = set()
        for piece in pieces:
            used |= self._add(piece, divisor)
        for number, (parameter, gradient) in enumerate(
            zip(self._parameters, self._sums, strict=True)
        ):
            parameter.grad = gradient if number in used else None
        return self._total.clone()

    def _add(self, piece: Piece, divisor: float) -> frozenset[int]:
        """Add one piece; returns the numbers of the parameters that have a gradient."""
        room = piece.room
        assert room is not None
        recorded = self._recorded.get(room)
        if recorded is None:
            size = _size_for(piece, self._translator.device)
            _fill(size, piece, divisor)
            self._usual(room, size)
            self._runs[room] += 1
            if self._recorder is not None and self._runs[room] >= USUAL_RUNS:
                self._record(room, size)
        else:
            self._recorded.move_to_end(room)
            _fill(recorded.size, piece, divisor)
            if recorded.checked:
                recorded.repeat()
            else:
                self._check(room, recorded)
        return self._used[room]

    def _usual(self, room: Room, size: _Size) -> None:
        """Compute a piece operation by operation."""

        def work() -> None:
            self._used[room] = self._work(size)

        if self._recorder is None:
            work()
        else:
            self._recorder.run(work)

    def _work(self, size: _Size) -> frozenset[int]:
        """Add the gradient of what lies in the memory of a size to the sums."""
        source, target, real_B, _ = size.piece
        assert real_B is not None
        config = self._config
        with all_places():  # the operations must be those of any batch of the size
            log_B = self._translator.log_likelihood(
                source,
                target,
                noise=Noise(self._stream, config.dropout),
                label_smoothing=config.label_smoothing,
                precision=config.precision,
            )
        loss = -torch.where(real_B, log_B, torch.zeros_like(log_B)).sum()
        found = torch.autograd.grad(loss / size.divisor, self._parameters, allow_unused=True)
        used = [number for number, gradient in enumerate(found) if gradient is not None]
        torch._foreach_add_(
            [self._sums[number] for number in used], [x for x in found if x is not None]
        )
        self._total += loss.detach()
        return frozenset(used)

    def _record(self, room: Room, size: _Size) -> None:
        """Record a size that was computed as usual a few times."""
        assert self._recorder is not None
        lent, self._translator.pool = self._translator.pool, BufferPool()
        try:
            repeat = self._recorder.record(lambda: self._keep_no_result(size), self._stream)
        except RuntimeError as error:
            self._give_up(f"a training step cannot be recorded as a CUDA graph ({error})")
            return
        finally:
            self._translator.pool = lent
        self._recorded[room] = _Recorded(size, repeat)
        if len(self._recorded) > self._most:
            left, _ = self._recorded.popitem(last=False)
            self._runs[left] = 0

    def _keep_no_result(self, size: _Size) -> None:
        self._work(size)

    def _check(self, room: Room, recorded: _Recorded) -> None:
        """Compute a piece as usual and from its graph; the graph must find the same bits."""
        state = [*self._sums, self._total]
        before, begin = [x.clone() for x in state], self._stream.get_state()
        self._usual(room, recorded.size)
        usual, end = [x.clone() for x in state], self._stream.get_state()
        torch._foreach_copy_(state, before)
        self._stream.set_state(begin)
        recorded.repeat()
        same = _same_bits(usual, state) and torch.equal(self._stream.get_state(), end)
        torch._foreach_copy_(state, usual)
        self._stream.set_state(end)
        recorded.checked = same
        if not same:
            self._give_up("a CUDA graph of a training step does not repeat the step's bits")

    def _give_up(self, why: str) -> None:
        """Compute all further steps as usual, and say so once."""
        self._recorder = None
        self._recorded.clear()
        warnings.warn(
            f"{why}: training goes on without graphs, slower and with the same results. "
            'Set training.graphs to "off" to train without them from the start.',
            RuntimeWarning,
            stacklevel=2,
        )


def graphs_of(
    translator: Translator,
    stream: torch.Generator,
    config: TrainingConfig,
    recorder: Recorder | None = None,
) -> Graphs | None:
    """Return what records the steps of a training; None where none are to be recorded.

    Args:
        translator: the network.
        stream: random numbers of the training.
        config: its settings.
        recorder: what records; None is CUDA, on a GPU.
    """
    if config.graphs == "off":
        return None
    if recorder is None and translator.device.type == "cuda":
        recorder = CudaRecorder(translator.device)
    return None if recorder is None else Graphs(translator, stream, config, recorder)


def _size_for(piece: Piece, device: torch.device) -> _Size:
    """Make room for the batches of a size on the device."""
    sides = [
        {name: torch.empty_like(x, device=device) for name, x in tensors_of(side).items()}
        for side in (piece.source, piece.target)
    ]
    assert piece.real_B is not None
    memory = Piece(
        dataclasses.replace(piece.source, **sides[0]),  # type: ignore[arg-type]
        dataclasses.replace(piece.target, **sides[1]),
        torch.empty_like(piece.real_B, device=device),
        piece.room,
    )
    return _Size(memory, torch.empty((), device=device))


def _fill(size: _Size, piece: Piece, divisor: float) -> None:
    """Copy a batch into the memory of its size; copies from pinned memory are not waited for."""
    for memory, value in zip(_tensors(size.piece), _tensors(piece), strict=True):
        memory.copy_(value, non_blocking=True)
    size.divisor.fill_(divisor)


def _tensors(piece: Piece) -> list[Tensor]:
    assert piece.real_B is not None
    return [
        *tensors_of(piece.source).values(),
        *tensors_of(piece.target).values(),
        piece.real_B,
    ]


def _same_bits(some: Sequence[Tensor], others: Sequence[Tensor]) -> bool:
    """Say whether numbers are equal; NaN counts as equal to itself."""
    return all(
        bool(((one == other) | (one.isnan() & other.isnan())).all())
        for one, other in zip(some, others, strict=True)
    )
