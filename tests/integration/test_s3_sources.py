"""Sources on S3, against a server that speaks its protocol on this machine."""

import bz2
import gzip
import lzma
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard
from pyarrow import fs

from flows.settings import load_settings
from flows.source_files import find_corpus
from storage.errors import ConfigError, InputError
from storage.remote import remote_digest
from tasks.readers.corpora import read_corpus
from tasks.readers.lines import count_lines, read_lines
from tasks.readers.records import RawPair
from tasks.readers.tables import read_table
from tests.integration.s3_server import REGION, credentials, s3_server

BUCKET = "corpora"


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    with s3_server() as url:
        yield url


@pytest.fixture
def bucket(endpoint: str, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, bytes], str]:
    """Return what puts bytes under a key and gives their name."""
    for name, value in credentials(endpoint).items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("AWS_ENDPOINT_URL_S3", raising=False)
    server = fs.S3FileSystem(
        access_key="test",
        secret_key="test",
        endpoint_override=endpoint.removeprefix("http://"),
        scheme="http",
        region=REGION,
        allow_bucket_creation=True,
    )
    server.create_dir(BUCKET)

    def put(key: str, data: bytes) -> str:
        with server.open_output_stream(f"{BUCKET}/{key}") as stream:
            stream.write(data)
        return f"s3://{BUCKET}/{key}"

    return put


Put = Callable[[str, bytes], str]


@pytest.mark.parametrize(
    ("ending", "compress"),
    [
        ("", bytes),
        (".gz", gzip.compress),
        (".bz2", bz2.compress),
        (".xz", lzma.compress),
        (".zst", zstandard.ZstdCompressor().compress),
    ],
)
def test_lines_on_s3_are_lines_whatever_their_compression(
    bucket: Put, ending: str, compress: Callable[[bytes], bytes]
) -> None:
    texts = [f"第{number}行 of many\u2028lines" for number in range(5000)]
    name = bucket(f"lines.txt{ending}", compress("\n".join(texts).encode()))
    assert [text for _, text in read_lines(name)] == texts
    assert count_lines(name) == len(texts)


@pytest.mark.parametrize("compressed", [False, True])
def test_a_table_on_s3_is_read_by_its_columns(bucket: Put, compressed: bool) -> None:
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table({"zh": ["雨"], "en": ["rain"]}), sink)
    data = sink.getvalue().to_pybytes()
    name = bucket("a.parquet.gz", gzip.compress(data)) if compressed else bucket("a.parquet", data)
    assert list(read_table(name, "parquet", ("zh", "en", ""))) == [RawPair("雨", "rain", "", 1)]


def test_the_digest_changes_with_the_content_and_with_nothing_else(bucket: Put) -> None:
    first = remote_digest(bucket("one", b"same"))
    assert remote_digest(bucket("folder/two", b"same")) == first
    assert remote_digest(bucket("one", b"else")) != first


def test_a_missing_file_and_a_mistaken_name_are_one_clear_message(bucket: Put) -> None:
    bucket("there", b"x")
    for name, message in (
        (f"s3://{BUCKET}/not-there", r"not-there: no such file\. Check the bucket and the key"),
        ("s3://no-such-bucket/key", "no-such-bucket/key: "),
        (f"s3://{BUCKET}", "expected s3://BUCKET/KEY"),
    ):
        with pytest.raises(InputError, match=message):
            remote_digest(name)


def test_a_server_that_is_not_there_is_one_clear_message(
    bucket: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{unused.getsockname()[1]}")
        with pytest.raises(InputError, match="cannot be read from http://127.0.0.1:.*AWS_ENDPOINT"):
            remote_digest(f"s3://{BUCKET}/key")


def test_a_corpus_of_the_settings_file_may_lie_on_s3(bucket: Put, tmp_path: Path) -> None:
    source = bucket("train.zh", "雨\n雪\n".encode())
    target = bucket("train.en", b"rain\nsnow\n")
    settings = tmp_path / "phrasenet.toml"
    settings.write_text(
        f'[[corpus]]\nname = "a"\nformat = "parallel"\nsource = "{source}"\ntarget = "{target}"\n'
        f'[[corpus]]\nname = "b"\nformat = "moses"\npath = "s3://{BUCKET}/train"\n'
    )
    loaded = load_settings(settings)
    for config in loaded.corpora:
        files = find_corpus(loaded, config)
        paths = [tuple(file.path for file in part) for part in files.parts]
        records = [record for _, record in read_corpus(config.form, paths, files.origins)]
        assert records == [RawPair("雨", "rain", "", 1), RawPair("雪", "snow", "", 2)]
        assert [origin.name for origin in files.origins] == ["train.zh"]


def test_an_unknown_kind_of_address_is_refused(tmp_path: Path) -> None:
    settings = tmp_path / "phrasenet.toml"
    settings.write_text('[[corpus]]\nname = "a"\npath = "https://127.0.0.1/a.tsv"\n')
    loaded = load_settings(settings)
    with pytest.raises(ConfigError, match="neither a file of this machine nor on S3"):
        find_corpus(loaded, loaded.corpora[0])
