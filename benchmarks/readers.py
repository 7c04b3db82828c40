"""How fast each reader of corpora is, and how much memory a million lines take.

Each measurement is a process of its own, since a process never gives its peak back.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import polib
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.measuring import figure, say
from storage.workspace import open_workspace
from tasks.arguments import source_file
from tasks.ingest import ingest
from tasks.readers.corpora import Origin, read_corpus
from tasks.readers.corpus_config import CorpusConfig, CorpusFormat
from tasks.sample.newswire import generate
from tasks.usage import own_usage

MILLION = 1_000_000
FEW = 50_000
TARGET_MEGABYTES = 500
MEGABYTE = 1e6


def run() -> None:
    """Print the throughput of each reader, and the peak memory of a million lines."""
    with tempfile.TemporaryDirectory() as folder:
        for form, path in _small_files(Path(folder)):
            seconds, _ = _in_child("read", form, path)
            figure(f"{form} ({path.suffix})", FEW / seconds, "pairs/processor s")
        say(f"  a million pairs, target under {TARGET_MEGABYTES} MB:")
        for form, write in (("tsv", _write_tsv), ("tmx", _write_tmx)):
            path = write(Path(folder) / f"million.{form}", MILLION)
            for work in ("read", "ingest"):
                seconds, megabytes = _in_child(work, form, path)
                figure(f"{work} {form}", MILLION / seconds, "pairs/processor s")
                figure(f"{work} {form}, peak memory", megabytes, "MB")
            path.unlink()


def _in_child(work: str, form: str, path: Path) -> tuple[float, float]:
    """Return processor seconds and peak megabytes of reading a file."""
    command = [sys.executable, "-m", "benchmarks.readers", work, form, str(path)]
    answer = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return answer["seconds"], answer["megabytes"]


def _measure(work: str, form_name: str, path: Path) -> None:
    """Read a file in this process and print what it took beyond the start of Python."""
    before = own_usage().processor_seconds
    form = CorpusConfig(name="b", path=str(path), format=cast(CorpusFormat, form_name)).form
    origin = Origin(path.name, "CC0-1.0")
    if work == "read":
        for _ in read_corpus(form, [(path,)], [origin]):
            pass
    else:
        workspace = open_workspace(path.parent / f"workspace-{form_name}")
        ingest.function(
            workspace,
            parts=((source_file(path),),),
            origins=(origin,),
            form=form,
            shards=1,
        )
    used = own_usage()
    seconds = used.processor_seconds - before
    megabytes = used.peak_memory_bytes / MEGABYTE
    sys.stdout.write(json.dumps({"seconds": seconds, "megabytes": megabytes}))


def _texts(number: int) -> Iterator[tuple[str, str]]:
    """Yield sentences of the built-in sample, each made different by its number."""
    pairs = generate(1).train
    for index in range(number):
        pair = pairs[index % len(pairs)]
        yield f"{pair.source}{index}", f"{pair.target} {index}"


def _small_files(folder: Path) -> Iterator[tuple[str, Path]]:
    yield "tsv", _write_tsv(folder / "a.tsv", FEW)
    yield "tmx", _write_tmx(folder / "a.tmx", FEW)
    yield "xliff", _write_xliff(folder / "a.xlf", FEW)
    texts = list(_texts(FEW))
    with (folder / "a.jsonl").open("w", encoding="utf-8") as stream:
        for source, target in texts:
            row = {"source": source, "target": target}
            stream.write(json.dumps(row, ensure_ascii=False) + "\n")
    yield "jsonl", folder / "a.jsonl"
    catalog = polib.POFile()
    catalog.metadata = {"Content-Type": "text/plain; charset=UTF-8"}
    catalog.extend(polib.POEntry(msgid=target, msgstr=source) for source, target in texts)
    catalog.save(str(folder / "a.po"))
    yield "gettext", folder / "a.po"
    catalog.save_as_mofile(str(folder / "a.mo"))
    yield "gettext", folder / "a.mo"
    rows = [{"source": source, "target": target} for source, target in texts]
    pq.write_table(pa.Table.from_pylist(rows), folder / "a.parquet")
    yield "parquet", folder / "a.parquet"


def _write_tsv(path: Path, number: int) -> Path:
    with path.open("w", encoding="utf-8") as stream:
        stream.writelines(f"{source}\t{target}\n" for source, target in _texts(number))
    return path


def _write_tmx(path: Path, number: int) -> Path:
    with path.open("w", encoding="utf-8") as stream:
        stream.write('<tmx version="1.4"><header srclang="zh"/><body>\n')
        for source, target in _texts(number):
            stream.write(
                f'<tu><tuv xml:lang="zh"><seg>{source}</seg></tuv>\n'
                f'<tuv xml:lang="en"><seg>{_escaped(target)}</seg></tuv></tu>\n'
            )
        stream.write("</body></tmx>\n")
    return path


def _write_xliff(path: Path, number: int) -> Path:
    with path.open("w", encoding="utf-8") as stream:
        stream.write(
            '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">'
            '<file original="a" source-language="zh" target-language="en"><body>\n'
        )
        for source, target in _texts(number):
            stream.write(
                f"<trans-unit><source>{source}</source>"
                f"<target>{_escaped(target)}</target></trans-unit>\n"
            )
        stream.write("</body></file></xliff>\n")
    return path


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")


if __name__ == "__main__":
    _measure(sys.argv[1], sys.argv[2], Path(sys.argv[3]))
