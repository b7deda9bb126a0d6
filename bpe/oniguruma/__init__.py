"""Regular expressions as Oniguruma reads them, run by `regex`.

Hugging Face tokenizers splits with Oniguruma (Ruby syntax, Unicode 16), which reads a few
constructs differently from `regex`, and knows each character as Unicode 16 does. Source of the
syntax: kkos/oniguruma, doc/RE and doc/SYNTAX.md.
"""

from bpe.oniguruma.expressions import Expression, expression

__all__ = ["Expression", "expression"]
