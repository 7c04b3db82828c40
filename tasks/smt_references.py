"""References of test sets in words."""

from storage.datasets import ArtifactRef
from storage.workspace import Workspace
from tasks.text.english import tokenise
from tasks.text.script import normalise


def references_of(
    workspace: Workspace, lines: ArtifactRef, lowercase: bool
) -> dict[str, list[list[str]]]:
    """Return the words of the references of each sentence by its id.

    Args:
        workspace: where the table is.
        lines: the lines of a test set.
        lowercase: whether the systems' words are in lower case.
    """
    return {
        row["sentence_id"]: [_words(text, lowercase) for text in row["references"]]
        for row in workspace.read_rows(lines)
    }


def _words(text: str, lowercase: bool) -> list[str]:
    words = tokenise(normalise(text))
    return [word.lower() for word in words] if lowercase else words
