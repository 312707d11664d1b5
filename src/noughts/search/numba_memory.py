"""Access of compiled kernels to the fields of a memory. Only the compiler backend imports this module.

In compiled code a memory is the address of a :class:`~noughts.search.memory.Block`. Its numbers are read and
written in place. An array is an address that is read from the block and never changes. Indices in an array
are not checked, and must not be negative.
"""

# mypy: disable-error-code="import-untyped, misc, untyped-decorator"

import operator
from functools import cache
from typing import Any

import llvmlite.ir as ir
import numba.core.typing.templates
import numba.extending
import numba.types

from noughts.search.memory import fields_of

types: Any = numba.types
templates: Any = numba.core.typing.templates
extending: Any = numba.extending

WORD = ir.IntType(64)


class FieldArray(types.Type):
    """The type of an array of a memory."""


class MemoryType(types.Type):
    """The type of one class of memories."""

    def __init__(self, kind: Any) -> None:
        numbers, facts, arrays = fields_of(kind)
        self.places = {name: place for place, name in enumerate((*numbers, *arrays))}
        self.arrays, self.facts = frozenset(arrays), facts
        super().__init__(f"{kind.__module__}.{kind.__qualname__}")


@extending.register_model(FieldArray)
@extending.register_model(MemoryType)
class AddressModel(extending.models.PrimitiveModel):
    """The representation of a memory or an array in compiled code: an address of numbers."""

    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, WORD.as_pointer())


ARRAY = FieldArray("FieldArray")


@cache
def memory_type(kind: Any) -> MemoryType:
    """Return the type of the memories of class *kind*."""
    return MemoryType(kind)


@extending.unbox(MemoryType)
def unbox_memory(_kind: Any, block: Any, c: Any) -> Any:
    """Read the address of *block*."""
    number = c.pyapi.object_getattr_string(block, "address")
    address = c.builder.inttoptr(c.pyapi.long_as_longlong(number), WORD.as_pointer())
    c.pyapi.decref(number)
    return extending.NativeValue(address)


@extending.infer_getattr
class MemoryFields(templates.AttributeTemplate):
    """The types of the fields."""

    key = MemoryType

    def generic_resolve(self, memory: Any, name: str) -> Any:
        """Return the type of the field called *name*, None if there is none."""
        return (ARRAY if name in memory.arrays else types.int64) if name in memory.places else None


def place(builder: Any, address: Any, number: Any) -> Any:
    """Return the address of the number at index *number* from *address*."""
    return builder.gep(address, [number], inbounds=True)


@extending.lower_getattr_generic(MemoryType)
def get_field(_context: Any, builder: Any, memory: Any, address: Any, name: str) -> Any:
    """Read a number, or the address of an array."""
    source = place(builder, address, WORD(memory.places[name]))
    if name in memory.arrays:
        source = builder.bitcast(source, WORD.as_pointer().as_pointer())
    value = builder.load(source)
    if name in memory.arrays or name in memory.facts:
        value.set_metadata("invariant.load", builder.module.add_metadata([]))
    return value


@extending.lower_setattr_generic(MemoryType)
def set_field(context: Any, builder: Any, signature: Any, values: Any, name: str) -> None:
    """Write a number."""
    memory, kind = signature.args
    number = context.cast(builder, values[1], kind, types.int64)
    builder.store(number, place(builder, values[0], WORD(memory.places[name])))


@extending.type_callable(operator.getitem)
def type_item(_context: Any) -> Any:
    """Return the type of an item: an int of 64 bits."""
    return lambda array, index: (
        types.int64 if isinstance(array, FieldArray) and isinstance(index, types.Integer) else None
    )


@extending.type_callable(operator.setitem)
def type_new_item(_context: Any) -> Any:
    """Return the type of an assignment to an item: none."""
    return lambda array, index, _value: (
        types.none if isinstance(array, FieldArray) and isinstance(index, types.Integer) else None
    )


@extending.lower_builtin(operator.getitem, FieldArray, types.Integer)
def get_item(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    """Read a number of an array."""
    index = context.cast(builder, values[1], signature.args[1], types.int64)
    return builder.load(place(builder, values[0], index))


@extending.lower_builtin(operator.setitem, FieldArray, types.Integer, types.Any)
def set_item(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    """Write a number of an array."""
    index = context.cast(builder, values[1], signature.args[1], types.int64)
    number = context.cast(builder, values[2], signature.args[2], types.int64)
    builder.store(number, place(builder, values[0], index))
    return context.get_dummy_value()
