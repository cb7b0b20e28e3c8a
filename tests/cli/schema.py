# SPDX-License-Identifier: GPL-3.0-or-later
"""schema.py SCHEMA DEFINITION < LINES: says which lines of --json do not agree with the definition.

Keys that the schema does not have are wrong here: later versions may add keys, but this version's
schema has all of them."""
import json
import sys

import jsonschema


def close(node):
    """No keys but those of the schema."""
    if isinstance(node, dict):
        if "properties" in node:
            node["additionalProperties"] = False
        for value in node.values():
            close(value)
    elif isinstance(node, list):
        for value in node:
            close(value)


def no_constant(word):
    raise ValueError(word + " is no JSON")


def main():
    with open(sys.argv[1], encoding="utf-8") as f:
        schema = json.load(f)
    jsonschema.Draft202012Validator.check_schema(schema)
    close(schema)
    one = {"$ref": "#/$defs/" + sys.argv[2], "$defs": schema["$defs"]}
    if sys.argv[2] not in schema["$defs"]:
        print("no definition " + sys.argv[2])
    validator = jsonschema.Draft202012Validator(one)
    any_of = jsonschema.Draft202012Validator(schema)
    count = 0
    for line in sys.stdin:
        count += 1
        answer = json.loads(line, parse_constant=no_constant)
        for wrong in list(validator.iter_errors(answer)) + list(any_of.iter_errors(answer)):
            best = jsonschema.exceptions.best_match([wrong])
            print(f"line {count}: {'/'.join(map(str, best.absolute_path))}: {best.message[:300]}")
    if not count:
        print("no lines")


main()
