"""A call of a step, made again from what the ledger says of it.

The record of a run holds its arguments as plain JSON; the annotations of the step's function say
what they were. The key of the call that is made of them proves that nothing was lost on the way.
"""

import dataclasses
import types
import typing
from collections.abc import Mapping, Sequence
from typing import Any

from storage.datasets import ArtifactRef
from storage.errors import InputError
from tasks.arguments import SourceFile
from tasks.step import Step, StepCall

Files = Mapping[str, Sequence[tuple[str, SourceFile]]]
"""Files of users by their digest, each with the name of the source that it belongs to."""


class CannotRecall(InputError):
    """The arguments of a run cannot be had any more; says which, and why."""


def recalled_call(step: Step[Any, Any], record: Mapping[str, Any], files: Files) -> StepCall[Any]:
    """Return the call that a record of a run tells of.

    Args:
        step: the step, as it is today.
        record: the body of the ledger's `run` record.
        files: where the files of users lie now.

    Raises:
        CannotRecall: a file is not where it was, or the step takes other arguments today.
    """
    try:
        hints = typing.get_type_hints(step.function)
    except NameError as error:
        raise CannotRecall(f"the arguments of step {step.name} have no types: {error}") from error
    reader = _Reader(files, record["label"])
    plain = {**record["settings"], **record["inputs"]}
    arguments = {name: reader.value(hints.get(name, Any), plain[name]) for name in plain}
    return StepCall(step, record["label"], arguments)


@dataclasses.dataclass(frozen=True, slots=True)
class _Reader:
    files: Files
    label: str
    """Of the call, which ends with the name of a source where there are files."""

    def value(self, hint: Any, plain: Any) -> Any:
        """Return the argument that `as_json` wrote as `plain`."""
        if isinstance(plain, dict):
            return self._of_mapping(hint, plain)
        if isinstance(plain, list):
            return self._of_list(hint, plain)
        return plain

    def _of_mapping(self, hint: Any, plain: Mapping[str, Any]) -> Any:
        if set(plain) == {"artifact"}:
            return ArtifactRef.from_json(plain["artifact"])
        if set(plain) == {"file"} and isinstance(plain["file"], str):
            return self._file(plain["file"])
        config = next(filter(_is_config, _choices(hint)), None)
        if config is not None:
            return self._config(config, plain)
        inner = _inner(hint, Mapping, 2)[1]
        return {key: self.value(inner, item) for key, item in plain.items()}

    def _of_list(self, hint: Any, plain: Sequence[Any]) -> Any:
        inner = _inner(hint, tuple, len(plain))
        return tuple(self.value(each, item) for each, item in zip(inner, plain, strict=True))

    def _config(self, config: type[Any], plain: Mapping[str, Any]) -> Any:
        hints = typing.get_type_hints(config)
        try:
            return config(**{name: self.value(hints[name], item) for name, item in plain.items()})
        except (TypeError, KeyError, ValueError, InputError) as error:
            raise CannotRecall(
                f"its settings are those of another version ({config.__name__}: {error})"
            ) from error

    def _file(self, digest: str) -> SourceFile:
        found = self.files.get(digest, ())
        if not found:
            raise CannotRecall("a file that it read is not there any more, or was changed")
        own = [file for name, file in found if self.label.endswith(f" {name}")]
        return (own or [file for _, file in found])[0]


def _is_config(hint: Any) -> bool:
    return isinstance(hint, type) and dataclasses.is_dataclass(hint)


def _choices(hint: Any) -> Sequence[Any]:
    """Return the types that a type stands for: several for a union."""
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        return typing.get_args(hint)
    return (hint,)


def _inner(hint: Any, outer: type[Any], length: int) -> Sequence[Any]:
    """Return the types of `length` items of a collection, as far as its type tells."""
    for choice in _choices(hint):
        arguments = typing.get_args(choice)
        origin = typing.get_origin(choice)
        if origin is tuple and len(arguments) == length and Ellipsis not in arguments:
            return arguments
        if origin is not None and isinstance(origin, type) and arguments:
            if outer is Mapping and issubclass(origin, Mapping):
                return arguments
            if outer is tuple and issubclass(origin, Sequence):
                return [arguments[0]] * length
    return [Any] * length
