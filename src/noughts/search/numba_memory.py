"""How compiled kernels get at the fields of a memory. Only what compiles imports this module.

Compiled, a memory is the address of a :class:`~noughts.search.memory.Block`. Its numbers are read and written
in their places; an array is an address that is read there, which never changes. Places in an array are not
checked and not counted from its end.
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
    """The type of a memory of one kind."""

    def __init__(self, kind: Any) -> None:
        numbers, facts, arrays = fields_of(kind)
        self.places = {name: place for place, name in enumerate((*numbers, *arrays))}
        self.arrays, self.facts = frozenset(arrays), facts
        super().__init__(f"{kind.__module__}.{kind.__qualname__}")


@extending.register_model(FieldArray)
@extending.register_model(MemoryType)
class AddressModel(extending.models.PrimitiveModel):
    """Either is an address of numbers."""

    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, WORD.as_pointer())


ARRAY = FieldArray("FieldArray")


@cache
def memory_type(kind: Any) -> MemoryType:
    """The type of memories of one *kind*."""
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
        """The type of the field called *name*, None if there is none."""
        return (ARRAY if name in memory.arrays else types.int64) if name in memory.places else None


def place(builder: Any, address: Any, number: Any) -> Any:
    """The address of a *number* behind *address*."""
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
    """Numbers of an array are of 64 bits."""
    return lambda array, index: (
        types.int64 if isinstance(array, FieldArray) and isinstance(index, types.Integer) else None
    )


@extending.type_callable(operator.setitem)
def type_new_item(_context: Any) -> Any:
    """Nothing comes of writing one."""
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
