"""The compiled kernels: the only package that imports numba.

A kernel is a free function over arrays that works without Python's lock. It checks no bounds: the
module that calls it (`bpe.fast_*`) checks what it is given. Each one has a twin in plain Python
that it must equal. Nothing here is imported by `import bpe`, and nothing compiles on import.
"""
