"""Several processes give the translations in the order of the input."""

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from flows import translating
from flows.translating import Batch, Translating, batched
from tasks.required import Demand


def test_the_order_is_kept_however_long_a_batch_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    def slow_first(rows: list[dict[str, Any]], _: object) -> list[Any]:
        time.sleep(0.02 * (7 - len(rows[0]["text"])))
        return [row["text"] for row in rows]

    monkeypatch.setattr(translating, "_translate_here", slow_first)
    texts = ["x" * number for number in range(1, 8)]
    batches = (
        Batch(part, [Demand({"text": text}, frozenset()) for text in part])
        for part in batched(texts, 2)
    )
    with ThreadPoolExecutor(3) as pool:
        translate: Any = Translating(None, pool, 3)  # type: ignore[arg-type]
        found = list(translate(batches))
    assert [text for _, answers in found for text in answers] == texts
    assert [text for batch, _ in found for text in batch.texts] == texts
