"""How systems were trained, how large they are and how fast they translate."""

from tasks.reports.evaluation_data import EvaluationData, SystemFacts
from tasks.reports.page import NOTHING, about, table
from tasks.reports.plots import loss_curves
from tasks.reports.provenance import SHOWN_DIGITS, source_note


def training(data: EvaluationData) -> str:
    """Return the curves, the table of systems and the speed of each."""
    return (
        about(
            "Loss is the mean surprise per target word in nats: lower is better. Where the loss on "
            "the dev sets stops falling, more training no longer helps; the model with the lowest "
            "one was kept."
        )
        + _curves(data)
        + _systems(data)
        + _speed(data)
    )


def _curves(data: EvaluationData) -> str:
    logs = {facts.system: facts.log for facts in data.systems if facts.log}
    if not logs:
        return "<p>The training was too short to be logged.</p>"
    return (
        '<div class="plots"><figure><figcaption>Loss while training</figcaption>'
        f"{loss_curves(logs)}{source_note(data.read_from('logs'))}</figure></div>"
    )


def _systems(data: EvaluationData) -> str:
    header = [
        "system",
        "model",
        "parameters",
        "steps",
        "target words seen",
        "best dev loss",
        "training time",
        "peak memory",
    ]
    note = (
        "Time and memory are those of the ledger's record of the training, on the machine that ran "
        "it beside whatever else it did."
    )
    body = [_system_row(facts) for facts in data.systems]
    sources = data.read_from("models", "logs")
    return table(header, body, caption="Systems", note=note, sources=sources)


def _system_row(facts: SystemFacts) -> list[str]:
    last = facts.log[-1] if facts.log else None
    dev = [row["dev_loss"] for row in facts.log if row["dev_loss"] is not None]
    seconds = facts.training.get("seconds")
    memory = facts.training.get("peak_memory_bytes")
    return [
        facts.system,
        facts.model_id[:SHOWN_DIGITS],
        f"{facts.parameters:,}" if facts.parameters else NOTHING,
        f"{last['step']:,}" if last else NOTHING,
        f"{last['target_words']:,}" if last else NOTHING,
        f"{min(dev):.3f}" if dev else NOTHING,
        duration(seconds) if seconds else NOTHING,
        f"{memory / 2**20:,.0f} MiB" if memory else NOTHING,
    ]


def duration(seconds: float) -> str:
    """Write a time in the two largest units that it has."""
    whole = round(seconds)
    hours, rest = divmod(whole, 3600)
    minutes, left = divmod(rest, 60)
    if hours:
        return f"{hours:,} h {minutes} min"
    return f"{minutes} min {left} s" if minutes else f"{seconds:.1f} s"


def _speed(data: EvaluationData) -> str:
    if not data.speeds:
        return ""
    body = [
        [
            speed.system,
            speed.testset,
            f"{speed.sentences:,}",
            f"{speed.words:,}",
            f"{speed.seconds:.1f} s",
            f"{speed.sentences / speed.seconds:,.1f}",
            f"{speed.words / speed.seconds:,.0f}",
        ]
        for speed in data.speeds
        if speed.seconds
    ]
    header = [
        "system",
        "test set",
        "sentences",
        "output words",
        "time",
        "sentences/s",
        "words/s",
    ]
    note = (
        "Wall time of the whole step that translated, with loading the model, as its record in "
        "the ledger has it."
    )
    sources = data.read_from("translations")
    return table(header, body, caption="Decoding speed", note=note, sources=sources)
