"""The tokenizers of a session as one value: which there are, their names, which is current.

Pure: every change gives a new list. Where the list is kept is the business of `state`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

from bpe import load_pretrained
from pages.ui.bundled import BUNDLED, BUNDLED_SOURCE

if TYPE_CHECKING:
    from bpe import Tokenizer, TrainingRun
    from bpe.file_kinds import FileKind

Origin: TypeAlias = Literal["trained", "sample", "imported", "bundled"]

LATEST_ID = "latest"
LATEST_NAME = "Latest training"
MAX_NAME_CHARS = 60


class NameRefused(ValueError):
    """A name cannot be taken; the message is written for the user."""


@dataclass(frozen=True, slots=True)
class TokenizerEntry:
    """A tokenizer under the name the user knows it by.

    `run` is None unless it was trained here; `made` is None for a bundled one, which is loaded
    when it is first asked for, once for all sessions. `notes` say what its files left unsaid,
    `file_kind` what these are.
    """

    entry_id: str
    name: str
    made: Tokenizer | None
    run: TrainingRun | None
    origin: Origin
    corpus_label: str
    notes: tuple[str, ...] = ()
    file_kind: FileKind | None = None

    @property
    def tokenizer(self) -> Tokenizer:
        """Give the tokenizer; of a bundled one, whose id is its name, the first call takes time."""
        return load_pretrained(self.entry_id) if self.made is None else self.made

    @property
    def key(self) -> str:
        """Give a short name of all that the tokenizer is, at no cost for a bundled one."""
        return self.entry_id if self.made is None else self.made.fingerprint

    @property
    def is_kept(self) -> bool:
        """Tell whether the entry stays when something else is trained."""
        return self.entry_id != LATEST_ID

    @property
    def is_bundled(self) -> bool:
        """Tell whether the entry comes with the app: nobody can rename or delete it."""
        return self.origin == "bundled"


BUNDLED_ENTRIES = tuple(
    TokenizerEntry(name, title, None, None, "bundled", BUNDLED_SOURCE)
    for name, title in BUNDLED.items()
)


@dataclass(frozen=True, slots=True)
class TokenizerList:
    """The user's own entries, the latest training first, and which entry is current.

    Current may also be a bundled one; it is None while nothing was trained, added or chosen.
    """

    entries: tuple[TokenizerEntry, ...] = ()
    current_id: str | None = None
    n_created: int = 0
    latest_fingerprint: str | None = None

    @property
    def choices(self) -> tuple[TokenizerEntry, ...]:
        """Give all that can be chosen: the user's own, then the bundled ones."""
        return (*self.entries, *BUNDLED_ENTRIES)

    @property
    def current(self) -> TokenizerEntry | None:
        """Give the current entry, None while there is none."""
        return next((entry for entry in self.choices if entry.entry_id == self.current_id), None)

    def find(self, entry_id: str) -> TokenizerEntry:
        """Give the entry with this id, the user's own or bundled; KeyError if there is none."""
        for entry in self.choices:
            if entry.entry_id == entry_id:
                return entry
        raise KeyError(entry_id)

    def _find_own(self, entry_id: str) -> TokenizerEntry:
        entry = self.find(entry_id)
        if entry.is_bundled:
            raise KeyError(f"{entry_id} is bundled: it cannot be changed")
        return entry

    def forgetting_latest(self) -> TokenizerList:
        """Let the next `with_latest` act even if its run is the one that was latest before."""
        return replace(self, latest_fingerprint=None)

    def with_latest(self, run: TrainingRun, corpus_label: str) -> TokenizerList:
        """Put the run in the place of the latest training and make it current.

        The same run again changes nothing, so that a page may say this on every rerun without
        undoing the user's choice. A run that is kept under a name is chosen, not listed twice.
        """
        if run.fingerprint == self.latest_fingerprint:
            return self
        kept = tuple(entry for entry in self.entries if entry.is_kept)
        same = [e for e in kept if e.run is not None and e.run.fingerprint == run.fingerprint]
        new = TokenizerEntry(LATEST_ID, LATEST_NAME, run.tokenizer, run, "trained", corpus_label)
        return replace(
            self,
            entries=kept if same else (new, *kept),
            current_id=same[0].entry_id if same else LATEST_ID,
            latest_fingerprint=run.fingerprint,
        )

    def with_entry(
        self,
        name: str,
        tokenizer: Tokenizer,
        *,
        origin: Origin,
        corpus_label: str,
        run: TrainingRun | None = None,
        notes: tuple[str, ...] = (),
        file_kind: FileKind | None = None,
    ) -> TokenizerList:
        """Add an entry at the end and make it current; a name already taken gets a number."""
        number = self.n_created + 1
        entry_id = f"tokenizer-{number}"
        name = self._free_name(" ".join(name.split())[:MAX_NAME_CHARS] or "Tokenizer")
        entry = TokenizerEntry(
            entry_id, name, tokenizer, run, origin, corpus_label, notes, file_kind
        )
        return replace(self, entries=(*self.entries, entry), current_id=entry_id, n_created=number)

    def renamed(self, entry_id: str, name: str) -> TokenizerList:
        """Give an entry another name; NameRefused says why a name cannot be taken.

        The latest training, once it has a name, is kept: the next training does not replace it.
        KeyError for a bundled entry.
        """
        entry = self._find_own(entry_id)
        name = self._checked_name(name, entry_id)
        if entry.is_kept:
            return self._with_replaced(entry, replace(entry, name=name))
        number = self.n_created + 1
        kept = replace(entry, entry_id=f"tokenizer-{number}", name=name)
        return replace(self._with_replaced(entry, kept), n_created=number)

    def chosen(self, entry_id: str) -> TokenizerList:
        """Make an entry current; KeyError if there is none with this id."""
        return replace(self, current_id=self.find(entry_id).entry_id)

    def without(self, entry_id: str) -> TokenizerList:
        """Leave an entry out; if it was current, the one that takes its place becomes current.

        KeyError for a bundled entry.
        """
        place = self.entries.index(self._find_own(entry_id))
        entries = self.entries[:place] + self.entries[place + 1 :]
        current_id = self.current_id
        if current_id == entry_id:
            current_id = entries[min(place, len(entries) - 1)].entry_id if entries else None
        return replace(self, entries=entries, current_id=current_id)

    def restored(self, entry: TokenizerEntry) -> TokenizerList:
        """Put back an entry that was left out, and make it current.

        A latest training that was followed by another comes back as a kept one, under a free name.
        """
        if any(other.entry_id == entry.entry_id for other in self.entries):
            return self.with_entry(
                entry.name,
                entry.tokenizer,
                origin=entry.origin,
                corpus_label=entry.corpus_label,
                run=entry.run,
                notes=entry.notes,
                file_kind=entry.file_kind,
            )
        entry = replace(entry, name=self._free_name(entry.name))
        return replace(self, entries=(*self.entries, entry), current_id=entry.entry_id)

    def _with_replaced(self, old: TokenizerEntry, new: TokenizerEntry) -> TokenizerList:
        entries = tuple(new if entry == old else entry for entry in self.entries)
        is_current = self.current_id == old.entry_id
        return replace(
            self, entries=entries, current_id=new.entry_id if is_current else self.current_id
        )

    def _checked_name(self, name: str, entry_id: str) -> str:
        name = " ".join(name.split())
        if not name:
            raise NameRefused("Type a name first.")
        if len(name) > MAX_NAME_CHARS:
            raise NameRefused(
                f"The name has {len(name)} characters; at most {MAX_NAME_CHARS} are allowed."
            )
        if name.casefold() in self._taken(other_than=entry_id):
            raise NameRefused(f"The name “{name}” is taken; choose another.")
        return name

    def _taken(self, other_than: str | None = None) -> set[str]:
        taken = {e.name.casefold() for e in self.choices if e.entry_id != other_than}
        return taken | {LATEST_NAME.casefold()}

    def _free_name(self, name: str) -> str:
        taken = self._taken()
        number = 1
        free = name
        while free.casefold() in taken:
            number += 1
            suffix = f" ({number})"
            free = name[: MAX_NAME_CHARS - len(suffix)] + suffix
        return free
