"""`phrasenet ratings`: two outputs rated by people who do not know whose they are."""

import argparse
from pathlib import Path
from typing import Any

from flows.commands import ratings_export
from flows.commands.options import (
    add_command,
    add_group,
    add_json_option,
    add_settings_option,
    emit,
    emit_json,
)

_NONE = "nobody rated translations here yet; `phrasenet ratings export` makes a worksheet"


def add(commands: Any) -> None:
    """Add the group and its commands."""
    group = add_group(
        commands, "ratings", "have people compare two outputs without knowing whose", "export"
    )
    ratings_export.add(group)
    _add_import(group)
    _add_show(group)


def _add_import(group: Any) -> None:
    parser = add_command(
        group,
        "import",
        "take in what raters returned",
        "phrasenet ratings import ratings-1f3a52-Lin.json",
    )
    parser.add_argument("files", metavar="FILE", nargs="+", help="saved by the page, or a sheet")
    parser.add_argument("--rater", default="", help="who rated, for files that do not say")
    add_settings_option(parser)
    add_json_option(parser)
    parser.set_defaults(execute=_import)


def _add_show(group: Any) -> None:
    parser = add_command(
        group,
        "show",
        "how each rater judged, and how far they agree (Cohen's kappa)",
        "phrasenet ratings show",
    )
    parser.add_argument(
        "files", metavar="FILE", nargs="*", help="returned worksheets of outputs in files"
    )
    parser.add_argument("--key", metavar="FILE", help="the key of that worksheet")
    add_settings_option(parser)
    add_json_option(parser)
    parser.set_defaults(execute=_show)


def _import(options: argparse.Namespace) -> int:
    from flows.opening import workspace_of
    from tasks.ratings import take_in

    counts = take_in(
        workspace_of(Path(options.config)), [Path(file) for file in options.files], options.rater
    )
    if options.json:
        emit_json({"raters": counts})
        return 0
    for rater, count in sorted(counts.items()):
        emit(f"{rater}: {count:,} sentences rated.")
    emit("`phrasenet ratings show` adds them up; `phrasenet evaluate` puts them into the report.")
    return 0


def _show(options: argparse.Namespace) -> int:
    from storage.errors import InputError
    from tasks.rating.agreement import rated_comparisons

    if bool(options.files) != bool(options.key):
        raise InputError(
            "Returned worksheets need their key and the other way round: "
            "`phrasenet ratings show FILE... --key FILE`; without both, the ratings of the "
            "workspace are shown."
        )
    rows = _of_files(options) if options.files else _of_workspace(options)
    comparisons = rated_comparisons(rows)
    if options.json:
        emit_json({"comparisons": [_as_json(item) for item in comparisons]})
        return 0
    for item in comparisons:
        _print(item)
    if not comparisons:
        emit(_NONE)
    return 0


def _of_workspace(options: argparse.Namespace) -> Any:
    from flows.opening import workspace_of
    from tasks.ratings import kept_ratings

    return kept_ratings(workspace_of(Path(options.config)))


def _of_files(options: argparse.Namespace) -> Any:
    from tasks.rating.agreement import standing_ratings
    from tasks.rating.returned import rated_items, rater_of, rating_rows
    from tasks.readers.rating_files import read_returned
    from tasks.readers.rating_key import read_key

    key = read_key(Path(options.key))
    rows: list[dict[str, Any]] = []
    for file in options.files:
        returned = read_returned(Path(file))
        key.must_fit(returned.worksheet, file)
        rater = rater_of(returned, Path(file).stem)
        rows += rating_rows(rated_items(returned, key), key, rater=rater, rated="")
    return standing_ratings(rows)


def _as_json(comparison: Any) -> dict[str, Any]:
    from dataclasses import asdict

    return asdict(comparison)


def _print(comparison: Any) -> None:
    """Print the two tables of one comparison."""
    emit(f"{comparison.testset}: {comparison.system} against {comparison.baseline}")
    width = max((len(row.rater) for row in comparison.shares), default=0) + 2
    emit(f"  {'':10}{'rater':{width}}{'rated':>6}{'worse':>9}{'equal':>9}{'better':>9}")
    for row in comparison.shares:
        shares = "".join(
            f"{100 * count / row.items:8.1f}%"
            for count in (row.baseline_better, row.equal, row.system_better)
        )
        emit(f"  {row.question:10}{row.rater:{width}}{row.items:6,}{shares}")
    for pair in comparison.agreements:
        kappa = "is not defined: both always say the same" if pair.kappa is None else ""
        emit(
            f"  {pair.question:10}{' and '.join(pair.raters)} agree on {100 * pair.observed:.1f}% "
            f"of {pair.items:,}; kappa {kappa or f'{pair.kappa:z.3f}'}"
        )
    if len({row.rater for row in comparison.shares}) < 2:
        emit("  One rater only: how far raters agree is not known.")
