"""The tables and the page of an experiment, from the results that are there."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from flows.experiment_cells import Cell, cell_digest, data_names, settings_digest, sources_of
from flows.experiment_figures import attention_sections
from flows.settings import Settings
from storage.errors import InputError
from storage.result_files import MEND, ResultFiles
from tasks.experiments.kept_form import check_result
from tasks.experiments.own_tables import own_tables
from tasks.experiments.paper_tables import paper_tables
from tasks.experiments.results import Results
from tasks.experiments.table import Table, as_csv, as_json, as_latex, as_markdown
from tasks.reports.experiment_page import experiment_page

PAGE = "report.html"


def result_of(
    cell: Cell, results: ResultFiles, *, is_checked: bool = True
) -> dict[str, Any] | None:
    """Return the result of a cell, or None where there is none or it is of another cell.

    Args:
        cell: the cell.
        results: where results are.
        is_checked: whether the texts must be those of the result; else the settings alone count,
            and no text has to be there.

    Raises:
        InputError: the file is damaged; says where.
    """
    file = cell.planned.cell.file
    found = results.read(file)
    if found is None:
        return None
    try:
        check_result(found)
    except InputError as error:
        raise InputError(f"{results.path_of(file)}: {error} {MEND}") from error
    if is_checked:
        is_same = found["digest"] == cell_digest(cell, sources_of(cell.settings))
    else:
        is_same = found["settings_digest"] == settings_digest(cell)
    return found if is_same else None


def write_tables(
    settings: Settings,
    cells: Sequence[Cell],
    files: ResultFiles,
    failed: Mapping[str, str],
    *,
    is_checked: bool,
) -> list[Path]:
    """Write the tables of each set of texts in all forms, and one page; returns their paths."""
    found = {
        cell.planned.cell: result
        for cell in cells
        if (result := result_of(cell, files, is_checked=is_checked)) is not None
    }
    all_results = [
        Results(
            data,
            [cell.planned for cell in cells if cell.planned.cell.data == data],
            {cell: result for cell, result in found.items() if cell.data == data},
            settings.experiment.metric,
            settings.experiment.out_of_domain,
            failed,
        )
        for data in data_names(cells)
    ]
    tables = {results.data: [*own_tables(results), *paper_tables(results)]
              for results in all_results}  # fmt: skip
    drawings = attention_sections(settings, all_results)
    title = settings.title
    return [
        files.write_page("tables.md", _markdown(title, tables)),
        files.write_page("tables.tex", _latex(tables)),
        files.write_page("tables.csv", _csv(tables)),
        files.write_page("tables.json", _json(tables)),
        files.write_page(PAGE, experiment_page(title, all_results, tables, drawings)),
    ]


def _markdown(title: str, tables: Mapping[str, Sequence[Table]]) -> str:
    parts = [f"# Experiment {title}\n"]
    for data, made in tables.items():
        parts += [f"Trained on: {data}\n", *(as_markdown(table) for table in made)]
    return "\n".join(parts)


def _latex(tables: Mapping[str, Sequence[Table]]) -> str:
    parts = [r"% Needs the package booktabs." + "\n"]
    for data, made in tables.items():
        parts += [f"% Trained on: {data}\n", *(as_latex(table) for table in made)]
    return "\n".join(parts)


def _csv(tables: Mapping[str, Sequence[Table]]) -> str:
    return as_csv([(data, table) for data, made in tables.items() for table in made])


def _json(tables: Mapping[str, Sequence[Table]]) -> str:
    value = {data: [as_json(table) for table in made] for data, made in tables.items()}
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"
