"""What kernels need of the processor and Python has no words for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

WINDOW = 64  # bytes looked at together; a mask has one bit for each

_BYTE = ir.IntType(8)
_WORD = ir.IntType(64)
_BYTES = ir.VectorType(_BYTE, WINDOW)

Codegen = tuple[Any, Callable[..., Any]]


def operation(function: Callable[..., Codegen]) -> Any:
    """Have kernels call what the function generates; its first argument is numba's own."""
    return intrinsic(function)


@operation
def bytes_between(typing: Any, data: Any, at: Any, first: Any, last: Any) -> Codegen:
    """Return the mask of the bytes from first to last among the 64 bytes at `at`."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = _place(context, builder, signature, args)
        window = builder.load(builder.bitcast(place, _BYTES.as_pointer()), align=1)
        low, high = args[2:]
        offset = builder.sub(window, _spread(builder, low))
        inside = builder.icmp_unsigned("<=", offset, _spread(builder, builder.sub(high, low)))
        return builder.bitcast(inside, _WORD)

    return types.uint64(data, types.intp, types.uint8, types.uint8), codegen


@operation
def eight_bytes(typing: Any, data: Any, at: Any) -> Codegen:
    """Return the 8 bytes at `at` as one number, the first byte lowest."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = _place(context, builder, signature, args)
        return builder.load(builder.bitcast(place, _WORD.as_pointer()), align=1)

    return types.uint64(data, types.intp), codegen


@operation
def put_eight_bytes(typing: Any, data: Any, at: Any, number: Any) -> Codegen:
    """Write a number as the 8 bytes at `at`, the lowest first."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = _place(context, builder, signature, args)
        builder.store(args[2], builder.bitcast(place, _WORD.as_pointer()), align=1)
        return context.get_dummy_value()

    return types.none(data, types.intp, types.uint64), codegen


@operation
def prefetch(typing: Any, data: Any, at: Any) -> Codegen:
    """Have the processor fetch the items around `at`, which is counted in the flat array."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer, flag = _BYTE.as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [pointer, flag, flag, flag])
        fetch = builder.module.declare_intrinsic("llvm.prefetch", [pointer], kind)
        place = builder.bitcast(_place(context, builder, signature, args), pointer)
        builder.call(fetch, [place, flag(1), flag(3), flag(1)])  # to write, and to keep
        return context.get_dummy_value()

    return types.none(data, types.intp), codegen


@operation
def prefetch_to_read(typing: Any, data: Any, at: Any) -> Codegen:
    """Have the processor fetch the items around `at`, which other threads may be reading too."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer, flag = _BYTE.as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [pointer, flag, flag, flag])
        fetch = builder.module.declare_intrinsic("llvm.prefetch", [pointer], kind)
        place = builder.bitcast(_place(context, builder, signature, args), pointer)
        builder.call(fetch, [place, flag(0), flag(3), flag(1)])
        return context.get_dummy_value()

    return types.none(data, types.uintp), codegen


@operation
def lowest_of_16(typing: Any, numbers: Any, at: Any) -> Codegen:
    """Return the lowest of 16 numbers (uint32) that follow one another from `at` on."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        number = ir.IntType(32)
        row = ir.VectorType(number, 16)
        kind = ir.FunctionType(number, [row])
        name = "llvm.vector.reduce.umin.v16i32"
        reduce = cgutils.get_or_insert_function(builder.module, kind, name)  # type: ignore[no-untyped-call]
        place = _place(context, builder, signature, args)
        return builder.call(
            reduce, [builder.load(builder.bitcast(place, row.as_pointer()), align=4)]
        )

    return types.uint32(numbers, types.uintp), codegen


@operation
def lowest_bit(typing: Any, mask: Any) -> Codegen:
    """Return the position of the lowest bit that is set, 64 if none is."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), codegen


@operation
def n_bits(typing: Any, mask: Any) -> Codegen:
    """Return how many bits are set."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.uint64), codegen


@operation
def bits_needed(typing: Any, mask: Any) -> Codegen:
    """Return the position after the highest bit that is set, 0 if none is."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        above = builder.ctlz(args[0], ir.Constant(ir.IntType(1), 0))
        return builder.sub(ir.Constant(_WORD, 64), above)

    return types.int64(types.uint64), codegen


def _place(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    array = context.make_array(signature.args[0])(context, builder, args[0])
    return builder.gep(array.data, [args[1]])


def _spread(builder: Any, byte: Any) -> Any:
    """Return a window that holds one byte 64 times."""
    first = builder.insert_element(
        ir.Constant(_BYTES, ir.Undefined), byte, ir.Constant(ir.IntType(32), 0)
    )
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), WINDOW), [0] * WINDOW)
    return builder.shuffle_vector(first, ir.Constant(_BYTES, ir.Undefined), zeros)
