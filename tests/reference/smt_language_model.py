"""Interpolated modified Kneser-Ney smoothing, slow and obvious, from the formulas."""

from collections import defaultdict
from collections.abc import Sequence

BEGIN, END, UNKNOWN = "<s>", "</s>", "<unk>"
NGram = tuple[str, ...]


class SlowLanguageModel:
    """p(word | words before it), counted anew from lists of n-grams."""

    def __init__(self, sentences: Sequence[Sequence[str]], order: int) -> None:
        self.order = order
        marked = [(BEGIN, *words, END) for words in sentences]
        self.words = sorted({word for words in sentences for word in words} | {END, UNKNOWN})
        self.counts = [self._adjusted(marked, length) for length in range(1, order + 1)]
        self.discounts = [self._discounts(counts) for counts in self.counts]

    def _adjusted(self, marked: Sequence[NGram], length: int) -> dict[NGram, int]:
        """Occurrences of the longest n-grams and of those at a beginning; else distinct words in
        front."""
        seen: dict[NGram, int] = defaultdict(int)
        before: dict[NGram, set[str]] = defaultdict(set)
        for words in marked:
            for start in range(len(words) - length + 1):
                ngram = words[start : start + length]
                seen[ngram] += 1
                if start:
                    before[ngram].add(words[start - 1])
        longest = length == self.order
        found = {
            ngram: number if longest or ngram[0] == BEGIN else len(before[ngram])
            for ngram, number in seen.items()
        }
        return {ngram: number for ngram, number in found.items() if ngram != (BEGIN,)}

    def _discounts(self, counts: dict[NGram, int]) -> tuple[float, float, float]:
        one, two, three, four = (
            sum(count == number for count in counts.values()) for number in (1, 2, 3, 4)
        )
        if not (one and two and three):
            return 0.5, 1.0, 1.5
        y = one / (one + 2 * two)
        found = 1 - 2 * y * two / one, 2 - 3 * y * three / two, 3 - 4 * y * four / three
        fits = all(0 < each <= number for number, each in enumerate(found, start=1))
        return found if fits else (0.5, 1.0, 1.5)

    def probability(self, context: Sequence[str], word: str) -> float:
        word = word if word in self.words else UNKNOWN
        context = tuple(context)[max(len(context) - self.order + 1, 0) :]
        return self._probability(context, word)

    def _probability(self, context: NGram, word: str) -> float:
        counts = self.counts[len(context)]
        shorter = self._probability(context[1:], word) if context else 1 / len(self.words)
        behind = {ngram[-1]: count for ngram, count in counts.items() if ngram[:-1] == context}
        total = sum(behind.values())
        if not total:
            return shorter
        discount = [0.0, *self.discounts[len(context)]]
        left = sum(discount[min(count, 3)] for count in behind.values()) / total
        count = behind.get(word, 0)
        return (count - discount[min(count, 3)]) / total + left * shorter
