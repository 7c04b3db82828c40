"""What is scored: marked-up outputs matched by segment, JSON lines, COMET's command."""

import json
import os
from pathlib import Path

import pytest

from storage.errors import InputError
from tasks.comet import comet_score
from tasks.readers.outputs import in_order_of, read_streams
from tests.conftest import Command

TSTSET = """<tstset setid="t" srclang="Chinese" trglang="English">
<DOC docid="d" sysid="one"><seg id="2">second &amp; last</seg><seg id="1">first</seg></DOC>
</tstset>
"""
REFSET = """<refset setid="t" srclang="Chinese" trglang="English">
<DOC docid="d" sysid="A"><seg id="1">first</seg><seg id="2">second &amp; last</seg></DOC>
<DOC docid="d" sysid="B"><seg id="1">the first</seg></DOC>
</refset>
"""
WMT = """<?xml version="1.0"?>
<dataset id="x"><doc id="d"><src lang="zh"><p><seg id="1">一</seg></p></src>
<ref lang="en" translator="A"><p><seg id="1">one</seg></p></ref>
<hyp system="P" language="en"><p><seg id="1">one</seg></p></hyp>
<hyp system="Q" language="en"><p><seg id="1">two</seg></p></hyp></doc></dataset>
"""


def write(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_segments_are_matched_by_document_and_id(tmp_path: Path) -> None:
    (output,) = read_streams(write(tmp_path / "out.sgm", TSTSET), "hypothesis")
    first, second = read_streams(write(tmp_path / "ref.sgm", REFSET), "reference")
    assert output.texts == ["second & last", "first"]
    assert in_order_of(output, first, may_miss=True).texts == ["second & last", "first"]
    assert in_order_of(output, second, may_miss=True).texts == ["", "the first"]
    with pytest.raises(InputError, match=r"ref.sgm#B lacks the segment '2' of document 'd'"):
        in_order_of(output, second, may_miss=False)
    with pytest.raises(InputError, match="lacks the segment '2'"):
        in_order_of(second, output, may_miss=True)


def test_score_reads_marked_up_files(tmp_path: Path, phrasenet: Command) -> None:
    out, ref = write(tmp_path / "out.sgm", TSTSET), write(tmp_path / "ref.sgm", REFSET)
    answer = phrasenet("score", out, "--ref", ref, "--json")
    assert answer.code == 0
    metrics = {m["name"]: m for m in json.loads(answer.out)["metrics"]}
    assert metrics["chrF2"]["value"] == pytest.approx(100)
    assert "nrefs:var" in metrics["BLEU-v11b"]["signature"]
    assert phrasenet("compare", out, out, "--ref", ref).code == 0


def test_one_of_several_systems_is_named(tmp_path: Path, phrasenet: Command) -> None:
    file = write(tmp_path / "wmt.xml", WMT)
    answer = phrasenet("score", file, "--ref", file)
    assert answer.code == 2
    assert "holds 2 systems: P, Q" in answer.err
    for system, value in (("P", 100.0), ("Q", 0.0)):
        answer = phrasenet("score", f"{file}#{system}", "--ref", file, "--source", file, "--json")
        ter_free = {m["name"]: m["value"] for m in json.loads(answer.out)["metrics"]}
        assert ter_free["chrF2"] == pytest.approx(value, abs=20)
    assert "has no system 'Z'" in phrasenet("score", f"{file}#Z", "--ref", file).err
    assert (
        "expected segments in a refset"
        in phrasenet("score", f"{file}#P", "--ref", write(tmp_path / "t.sgm", TSTSET)).err
    )


def test_a_second_segment_of_the_same_id_is_refused(tmp_path: Path) -> None:
    twice = write(tmp_path / "twice.sgm", TSTSET.replace('id="2"', 'id="1"'))
    with pytest.raises(InputError, match="has a second segment '1'"):
        read_streams(twice, "hypothesis")


def test_json_lines_hold_both_sides(tmp_path: Path) -> None:
    file = write(tmp_path / "x.jsonl", '{"zh": "一", "en": "one"}\n')
    assert read_streams(file, "source")[0].texts == ["一"]
    assert read_streams(file, "hypothesis")[0].texts == ["one"]
    bad = write(tmp_path / "bad.jsonl", '{"zh": "一"}\n')
    with pytest.raises(InputError, match="line 1: expected a JSON object with the text 'en'"):
        read_streams(bad, "reference")


def test_terms_need_the_source_and_must_fit(tmp_path: Path, phrasenet: Command) -> None:
    out, source = write(tmp_path / "o", "the bank\n"), write(tmp_path / "s", "银行\n")
    terms = write(tmp_path / "terms", "银行\tbank\n")
    assert "--terms needs the source" in phrasenet("score", out, "--ref", out, "--terms", terms).err
    asked = ("score", out, "--ref", out, "--source", source, "--terms", terms)
    answer = phrasenet(*asked)
    assert "Term success (terms) = 100.00 (like:wmt25-track2|case:lc|match:substring)" in answer.out
    found = json.loads(phrasenet(*asked, "--json").out)["terms"]["terms"]
    assert (found["scored"], found["success"]) == (1, 1.0)
    other = write(tmp_path / "other", "房子\thouse\n")
    answer = phrasenet("score", out, "--ref", out, "--source", source, "--terms", other)
    assert answer.code == 2
    assert "no sentence has one of these terms" in answer.err


FAKE = """#!/usr/bin/env python3
import json, os, sys
given = dict(zip(sys.argv[1::2], sys.argv[2::2]))
assert os.environ["HF_HUB_OFFLINE"] == "1"
lines = [open(sys.argv[sys.argv.index(n) + 1]).read().split("\\n")[:-1] for n in ("-s", "-t", "-r")]
assert len(set(map(len, lines))) == 1
rows = [{"src": s, "mt": t, "ref": r, "COMET": float(t == r)} for s, t, r in zip(*lines)]
json.dump({"mt": rows}, open(sys.argv[sys.argv.index("--to_json") + 1], "w"))
"""


def test_comet_is_asked_by_its_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = tmp_path / "da" / "checkpoints" / "model.ckpt"
    model.parent.mkdir(parents=True)
    model.touch()
    texts = (["一", "二"], ["one", "too\nlate"], [["one", "two"]])
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputError, match="comet-score is not on PATH"):
        comet_score(*texts, model)
    command = tmp_path / "comet-score"
    command.write_text(FAKE)
    command.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}/usr/bin{os.pathsep}/bin")
    found = comet_score(*texts, model)
    assert (found.name, found.value) == ("COMET", 0.5)
    assert found.signature == "model:da|model.ckpt|ref:first of 1"
    with pytest.raises(InputError, match="expected the file of a COMET model"):
        comet_score(*texts, tmp_path / "none.ckpt")
    with pytest.raises(InputError, match="needs all three"):
        comet_score(texts[0], texts[1], [["one", ""], ["one", "two"]], model)
    command.write_text("#!/bin/sh\necho no such model >&2\nexit 3\n")
    with pytest.raises(InputError, match=r"failed \(3\): no such model"):
        comet_score(*texts, model)
