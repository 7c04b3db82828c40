"""BLEU as mteval-v11b makes it, one sentence and one n-gram at a time; no code of the project."""

import math
import re


def words(text: str, *, preserve_case: bool = False) -> list[str]:
    """Split a whole line with the script's four substitutions."""
    text = text.replace("&quot;", '"').replace("&amp;", "&").replace("&lt;", "<")
    text = f" {text.replace('&gt;', '>')} "
    if not preserve_case:
        text = "".join(chr(ord(c) + 32) if "A" <= c <= "Z" else c for c in text)
    text = re.sub(r"([\{-\~\[-\` -\&\(-\+\:-\@\/])", r" \1 ", text)
    text = re.sub(r"([^0-9])([\.,])", r"\1 \2 ", text)
    text = re.sub(r"([\.,])([^0-9])", r" \1 \2", text)
    text = re.sub(r"([0-9])(-)", r"\1 \2 ", text)
    return text.split()


def times(ngram: list[str], inside: list[str]) -> int:
    """Count how often an n-gram is in a list of words."""
    size = len(ngram)
    return sum(inside[i : i + size] == ngram for i in range(len(inside) - size + 1))


def v11b(hypotheses: list[str], references: list[list[str]]) -> tuple[float, list[float]]:
    """Return BLEU and the four individual n-gram scores, 0 to 100.

    `references` holds one list for each sentence.
    """
    matched, total = [0] * 5, [0] * 5
    length = shortest = 0
    for hypothesis, texts in zip(hypotheses, references, strict=True):
        output, answers = words(hypothesis), [words(text) for text in texts]
        length += len(output)
        shortest += min(len(answer) for answer in answers)
        for n in range(1, 5):
            seen: list[list[str]] = []
            for i in range(len(output) - n + 1):
                total[n] += 1
                ngram = output[i : i + n]
                if ngram in seen:
                    continue
                seen.append(ngram)
                most = max(times(ngram, answer) for answer in answers)
                matched[n] += min(times(ngram, output), most)
    individual = [100 * matched[n] / max(total[n], 1) for n in range(1, 5)]
    if 0 in individual:
        return 0.0, individual
    logs = sum(math.log(score / 100) for score in individual) / 4
    return 100 * math.exp(logs + min(0.0, 1 - shortest / length)), individual
