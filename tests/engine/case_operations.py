"""What the cases of tests/data/cases_engine.jsonl ask to be done, one function an operation."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import tokenizers

import bpe
from bpe.tiktoken_files import write_ranks
from tests.engine.trained import corpus, trained_on_corpus

ROOT = Path(__file__).parents[2]


@dataclass
class Outcome:
    """What came of a case; an operation fills in what it has."""

    config: dict[str, Any]
    run: bpe.TrainingRun | None = None
    retrain: Callable[..., bpe.TrainingRun] | None = None
    runs_elsewhere: list[list[list[str]]] = field(default_factory=list)
    tokenizer: bpe.Tokenizer | None = None
    loaded: bpe.Tokenizer | None = None
    encoding: bpe.Encoding | None = None
    encoding_loaded: bpe.Encoding | None = None
    pieces: list[str] = field(default_factory=list)
    text: str | None = None
    error: bpe.BPEError | None = None
    exported: str | None = None
    hf_tokens: list[str] | None = None


def train(config: dict[str, Any], data: Any, expect: dict[str, Any]) -> Outcome:
    """Train; a corpus case trains once for all tests that look at it."""
    if "corpus" in config:
        names = (config["corpus"], config["base"], config["pretokenizer"], config["num_merges"])
        assert corpus(config["corpus"])
        return Outcome(config, run=trained_on_corpus(*names))
    words = data["word_counts"] if isinstance(data, dict) else data

    def retrain(**changes: Any) -> bpe.TrainingRun:
        return bpe.train(words, **(training_settings(config) | changes))

    outcome = Outcome(config, run=retrain(), retrain=retrain)
    if expect.get("identical_every_run"):
        outcome.runs_elsewhere = train_in_fresh_processes(config, words)
    return outcome


def training_settings(config: dict[str, Any]) -> dict[str, Any]:
    """The settings of a case in the words of `bpe.train`."""
    names = ("base", "normalizer", "end_of_word", "num_merges", "vocab_size", "min_frequency")
    settings = {name: config[name] for name in names if name in config}
    settings["pattern"] = config["pretokenizer"]
    settings["special_tokens"] = config.get("special_tokens", ())
    return settings


def train_in_fresh_processes(
    config: dict[str, Any], words: dict[str, int]
) -> list[list[list[str]]]:
    """Train under two hash seeds, with the words in their order and the other way round."""
    code = (
        "import bpe, json, sys\n"
        "words, settings = json.loads(sys.argv[1])\n"
        "run = bpe.train(words, **settings)\n"
        "print(json.dumps([[step.left, step.right] for step in run.steps]))"
    )
    found = []
    for order in (list(words.items()), list(words.items())[::-1]):
        argument = json.dumps([dict(order), training_settings(config)])
        for seed in ("0", "1"):
            printed = subprocess.run(
                [sys.executable, "-c", code, argument],
                cwd=ROOT,
                env={**os.environ, "PYTHONHASHSEED": seed},
                capture_output=True,
                check=True,
            ).stdout
            found.append(json.loads(printed))
    return found


def tokenizer_of(config: dict[str, Any]) -> bpe.Tokenizer:
    """The tokenizer of a case that gives vocabulary and merges."""
    model = config["model"]
    if model == "256 bytes, no merges":
        return bpe.train("", pattern=config["pretokenizer"], num_merges=0).tokenizer
    specials = config.get("special_tokens", [])
    vocab = [*model["vocab"], *(token for token in specials if token not in model["vocab"])]
    splits = {"none": None, "whitespace": {"type": "WhitespaceSplit"}}
    document = model_document({**model, "vocab": vocab})
    document["pre_tokenizer"] = splits[config["pretokenizer"]]
    document["model"]["unk_token"] = config.get("unknown_token")
    document["model"]["ignore_merges"] = config.get("ignore_merges", False)
    document["added_tokens"] = [
        {"id": vocab.index(token), "content": token, "special": True} for token in specials
    ]
    return bpe.load_tokenizer_json(document)


def model_document(model: dict[str, Any]) -> dict[str, Any]:
    """A tokenizer.json with a vocabulary in the order of ids."""
    vocab = {token: token_id for token_id, token in enumerate(model["vocab"])}
    return {"model": {"type": "BPE", "vocab": vocab, "merges": model["merges"]}}


def encode(config: dict[str, Any], data: str, expect: dict[str, Any]) -> Outcome:
    tokenizer = tokenizer_of(config)
    recognised = config.get("special_tokens_in_text") == "recognised"
    encoding = tokenizer.encode(data, allowed_special="all" if recognised else ())
    return Outcome(config, tokenizer=tokenizer, encoding=encoding)


def decode(config: dict[str, Any], data: list[int], expect: dict[str, Any]) -> Outcome:
    tokenizer = bpe.train("", num_merges=0).tokenizer
    return Outcome(config, text=tokenizer.decode(data, errors=config["errors"]))


def round_trip(config: dict[str, Any], data: str, expect: dict[str, Any]) -> Outcome:
    """Encode a text and decode that, with the tokenizer of the case, or one trained on it."""
    if "model" in config:
        merges = "".join(f"{left} {right}\n" for left, right in config["model"]["merges"])
        tokenizer = bpe.load_gpt2(model_document(config["model"])["model"]["vocab"], merges)
        encoding = tokenizer.encode(data)
        text = tokenizer.decode(encoding.ids)
        return Outcome(config, tokenizer=tokenizer, encoding=encoding, text=text)
    run = bpe.train(data, num_merges=5, **training_settings(config))
    encoding = run.tokenizer.encode(data)
    text = run.tokenizer.decode(encoding.ids)
    return Outcome(config, run=run, tokenizer=run.tokenizer, encoding=encoding, text=text)


def train_save_load(config: dict[str, Any], data: str, expect: dict[str, Any]) -> Outcome:
    """Train on a text, save, load, and encode with both."""
    tokenizer = bpe.train(data * 3, **training_settings(config)).tokenizer
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "tokenizer.json")
        tokenizer.save(path)
        loaded = bpe.Tokenizer.load(path)
    before, after = (each.encode(data, allowed_special="all") for each in (tokenizer, loaded))
    return Outcome(
        config, tokenizer=tokenizer, loaded=loaded, encoding=before, encoding_loaded=after
    )


def import_file(config: dict[str, Any], data: dict[str, Any], expect: dict[str, Any]) -> Outcome:
    """Read what the case gives: of ranks the pattern too, unless the case is about that."""
    try:
        tokenizer = imported(config, data)
    except bpe.BPEError as error:
        return Outcome(config, error=error)
    outcome = Outcome(config, tokenizer=tokenizer)
    if "text" in data:
        outcome.pieces = [piece.text for piece in tokenizer.pre_tokenize(data["text"])]
        outcome.encoding = tokenizer.encode(data["text"], allowed_special="all")
        outcome.text = tokenizer.decode(outcome.encoding.ids)
    return outcome


def imported(config: dict[str, Any], data: dict[str, Any]) -> bpe.Tokenizer:
    """The tokenizer of the files of a case."""
    ranks = write_ranks((value, bytes([value])) for value in range(256))
    if config.get("format") == "vocab.json + merges.txt":
        return bpe.load_gpt2(data["vocab_json"], base64.b64decode(data["merges_txt_base64"]))
    if config.get("format") == "tiktoken ranks":
        if data.get("tiktoken_file") == "any, no pattern given":
            return bpe.load_tiktoken(ranks)
        in_base64 = data.get("tiktoken_file_base64")
        file = base64.b64decode(in_base64) if in_base64 else data["tiktoken_file"].encode()
        return bpe.load_tiktoken(file, pattern="gpt2")
    if "special_tokens" in data:
        return bpe.load_tiktoken(ranks, pattern="gpt2", special_tokens=data["special_tokens"])
    if "pre_tokenizer" in data:
        document = model_document({"vocab": sorted(set(data["text"])), "merges": []})
        return bpe.load_tokenizer_json({**document, "pre_tokenizer": data["pre_tokenizer"]})
    return bpe.load_tokenizer_json(json.dumps(data.get("tokenizer_json") or model_document(data)))


def export_files(config: dict[str, Any], data: dict[str, Any], expect: dict[str, Any]) -> Outcome:
    """Write as vocab.json and merges.txt, and read these back."""
    tokenizer = bpe.load_tokenizer_json(model_document(data))
    try:
        loaded = bpe.load_gpt2(*bpe.to_gpt2(tokenizer))
    except bpe.BPEError as error:
        return Outcome(config, tokenizer=tokenizer, error=error)
    return Outcome(config, tokenizer=tokenizer, loaded=loaded)


def export_to_peer(config: dict[str, Any], data: dict[str, Any], expect: dict[str, Any]) -> Outcome:
    exported = bpe.to_tokenizer_json(bpe.load_tokenizer_json(model_document(data)))
    peer = tokenizers.Tokenizer.from_str(exported)
    return Outcome(config, exported=exported, hf_tokens=peer.encode(data["text"]).tokens)


OPERATIONS: dict[str, Callable[[dict[str, Any], Any, dict[str, Any]], Outcome]] = {
    "pair_counts": lambda config, data, expect: train({**config, "num_merges": 0}, data, expect),
    "train": train,
    "encode": encode,
    "encode with offsets": encode,
    "encode then decode": round_trip,
    "decode": decode,
    "train then save, load, encode": train_save_load,
    "train, save, load": train_save_load,
    "import": import_file,
    "export": export_files,
    "export tokenizer.json then load with HF tokenizers": export_to_peer,
}
