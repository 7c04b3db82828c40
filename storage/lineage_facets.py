"""Our own OpenLineage facets: licences, phrases, code, and whether a result was reused.

Their JSON schemas are in `docs/openlineage/`; each facet names its schema.
"""

from typing import Any

import attr
from openlineage.client import facet_v2


def _schema_of(name: str) -> str:
    return f"urn:phrasenet:openlineage:{name}:1-0-0"


@attr.define
class LicenceFacet(facet_v2.DatasetFacet):
    """The sources that a model was made from, with their terms."""

    sources: list[dict[str, Any]]
    """`kind`, `source`, `licence` (SPDX or text) and `attribution` of each."""

    @staticmethod
    def _get_schema() -> str:
        return _schema_of("LicenceDatasetFacet")


@attr.define
class PhrasesFacet(facet_v2.DatasetFacet):
    """How many phrases a memory holds."""

    counts: list[dict[str, Any]]
    """`category`, `origin`, `state` and `phrases` of each kind."""

    @staticmethod
    def _get_schema() -> str:
        return _schema_of("PhrasesDatasetFacet")


@attr.define
class CodeFacet(facet_v2.JobFacet):
    """The code that shaped the output."""

    digest: str
    """Of all functions together."""
    functions: dict[str, str]
    """Digest by `module:definition`."""

    @staticmethod
    def _get_schema() -> str:
        return _schema_of("CodeJobFacet")


@attr.define
class ReuseFacet(facet_v2.RunFacet):
    """Whether the result was computed by this run or reused."""

    reused: bool
    key: str
    """Cache key: the run that computed the result has the same."""

    @staticmethod
    def _get_schema() -> str:
        return _schema_of("ReuseRunFacet")
