"""Processor instructions for kernels: one instruction each if compiled, plain Python otherwise."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

PARTS = ("llvmlite.ir", "numba.types", "numba.core.cgutils", "numba.np.arrayobj", "numba.extending")
"""The parts of the compiler that are needed. Their types are incomplete, so they are imported by name."""


def count_bits(mask: int) -> int:
    """Count the bits that are set in *mask*."""
    return mask.bit_count()


def fetch(t: list[int], place: int) -> None:
    """Prefetch the memory of ``t[place]``. Python does nothing."""


def compile_instructions() -> None:
    """Register the instructions for these functions with numba."""
    parts: list[Any] = [import_module(name) for name in PARTS]
    ir, types, core, arrays, extending = parts

    def build_count(_context: Any, builder: Any, _signature: Any, operands: Any) -> Any:
        return builder.ctpop(operands[0])

    def build_fetch(context: Any, builder: Any, signature: Any, operands: Any) -> Any:
        array = arrays.make_array(signature.args[0])(context, builder, operands[0])
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        place = builder.bitcast(builder.gep(array.data, [operands[1]]), byte)
        form = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        prefetch = core.get_or_insert_function(builder.module, form, "llvm.prefetch.p0i8")
        builder.call(prefetch, [place, number(0), number(3), number(1)])  # a read, needed soon, of data
        return context.get_dummy_value()

    counted = extending.intrinsic(lambda _, mask: (types.int64(mask), build_count))
    fetched = extending.intrinsic(lambda _, t, place: (types.void(t, place), build_fetch))
    extending.overload(count_bits)(lambda mask: lambda mask: counted(mask))
    extending.overload(fetch)(lambda t, place: lambda t, place: fetched(t, place))


@contextmanager
def no_negative_indices() -> Iterator[None]:
    """Make numba compile no index that counts from the end of an array, since kernels use none.

    Support for such indices costs time at each access to a table or a batch; fields of a memory never have
    it. It also keeps most loops from being vectorized: 8x4:4 would take a tenth longer, random games of
    15x15:5 a third. Functions that other code compiles are not affected, since one thread compiles at a time.
    """
    parts: list[Any] = [import_module(name) for name in ("numba.np.arrayobj", "numba.core.compiler_lock")]
    arrays, locking = parts
    types: Any = import_module("numba.types")

    def build_place(context: Any, builder: Any, kind: Any, place: Any, _size: Any) -> Any:
        return context.cast(builder, place, kind, types.intp)

    with locking.global_compiler_lock:
        usual, arrays.fix_integer_index = arrays.fix_integer_index, build_place
        try:
            yield
        finally:
            arrays.fix_integer_index = usual
