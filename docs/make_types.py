"""Write the types of the API for the scripts of the pages, from the OpenAPI description.

    uv run --group dev python docs/make_types.py

A test compares the output with the repository.
"""

import json
import re
from pathlib import Path
from typing import Any

from noughts.interfaces.web.app import make_app
from noughts.interfaces.web.boards import pen_as_json
from noughts.interfaces.web.lobby_models import LobbyChanges
from noughts.interfaces.web.models import GameGone, GamesChange, ReviewMessage
from noughts.interfaces.web.service import ServerOptions
from noughts.interfaces.web.wall_models import WallChanges

TYPES = Path(__file__).parent / "types"
HEAD = "// Made by docs/make_types.py, not to be changed by hand.\n\n"

Json = dict[str, Any]

NAMED = {"integer": "number", "number": "number", "string": "string", "boolean": "boolean", "null": "null"}
"""The TypeScript names of the simple types of JSON Schema."""


def type_of(schema: Json) -> str:
    """Return the TypeScript type of the values that *schema* describes."""
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    if alternatives := schema.get("anyOf", schema.get("oneOf")):
        return " | ".join(dict.fromkeys(type_of(one) for one in alternatives))
    if "const" in schema or "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema.get("enum", [schema.get("const")]))
    if "prefixItems" in schema:
        return f"[{', '.join(type_of(item) for item in schema['prefixItems'])}]"
    if schema["type"] == "array":
        item = type_of(schema["items"])
        return f"({item})[]" if "|" in item else f"{item}[]"
    if schema["type"] == "object":
        return f"Record<string, {type_of(schema['additionalProperties'])}>"
    return NAMED[schema["type"]]


def interface_of(name: str, schema: Json) -> list[str]:
    """Return the lines of the interface *name*. Fields with a default are optional in requests only."""
    is_request = schema.get("additionalProperties") is False
    required = schema.get("required", [])
    lines = []
    for field, described in schema["properties"].items():
        is_optional = field not in required and (is_request or "default" not in described)
        lines.append(f"  {field}{'?' if is_optional else ''}: {type_of(described)};")
    return [f"interface {name} {{", *lines, "}"]


def calls_of(paths: Json) -> list[str]:
    """Return a call signature for each route that answers with JSON, the most specific paths first."""
    calls = []
    for path in sorted(paths, key=lambda path: (-path.count("/"), path.count("{"), path)):
        for operation in paths[path].values():
            done = next(one for status, one in operation["responses"].items() if status.startswith("2"))
            if "application/json" not in done["content"]:
                continue
            address = re.sub(r"\{\w+\}", "${string}", path)
            queries = {one["name"] for one in operation["parameters"] if one["in"] == "query"}
            asked = f"`{address}`" + (f" | `{address}?${{string}}`" if queries - {"lang"} else "")
            body = operation.get("requestBody")
            sent = f"body: {_json_type(body)}" if body else "body?: undefined"
            calls.append(f"  (path: {asked}, {sent}, token?: string | null): Promise<{_json_type(done)}>;")
    return calls


def _json_type(content: Json) -> str:
    return type_of(content["content"]["application/json"]["schema"])


def event_schemas() -> Json:
    """Return the schemas of the events that have models. OpenAPI describes streams as texts."""
    schemas: Json = {}
    for model in (ReviewMessage, LobbyChanges, WallChanges, GamesChange, GameGone):
        schema = model.model_json_schema(ref_template="{model}", mode="serialization")
        schemas |= {**schema.pop("$defs", {}), model.__name__: schema}
    return schemas


def pen_types() -> str:
    """Return the types of the module that the server makes of the strokes of its pen."""
    kinds = {str: "string", list: "string[]", dict: "Record<string, string[]>"}
    fields = "".join(f"  {name}: {kinds[type(value)]};\n" for name, value in pen_as_json().items())
    return f"{HEAD}export const PEN: {{\n{fields}}};\n"


def types() -> dict[Path, str]:
    """Return the text of each file."""
    app: Any = make_app(ServerOptions("sqlite://"))
    while not hasattr(app, "openapi"):
        app = app.app
    description = app.openapi()
    schemas = {**description["components"]["schemas"], **event_schemas()}
    lines = [line for name, schema in sorted(schemas.items()) for line in (*interface_of(name, schema), "")]
    ask = [
        "/** The function that asks a route for JSON. */",
        "interface Ask {",
        *calls_of(description["paths"]),
    ]
    body = "".join(f"  {line}".rstrip() + "\n" for line in (*lines, *ask, "}"))
    api = f"{HEAD}declare namespace Api {{\n{body}}}\n"
    return {TYPES / "api.d.ts": api, TYPES / "pen.d.ts": pen_types()}


def main() -> None:
    """Write all files."""
    for path, text in types().items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
