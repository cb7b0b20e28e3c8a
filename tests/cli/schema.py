# SPDX-License-Identifier: GPL-3.0-or-later
"""schema.py SCHEMA < LIST: says which lines of --json do not agree with their definitions.

LIST has lines "DEFINITION FILE"; a message begins with the name of the file.

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


def check(schema, any_of, definition, path):
    if definition not in schema["$defs"]:
        print(f"{path}: no definition {definition}")
        return
    one = {"$ref": "#/$defs/" + definition, "$defs": schema["$defs"]}
    validator = jsonschema.Draft202012Validator(one)
    count = 0
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            count += 1
            answer = json.loads(line, parse_constant=no_constant)
            for wrong in list(validator.iter_errors(answer)) + list(any_of.iter_errors(answer)):
                best = jsonschema.exceptions.best_match([wrong])
                where = "/".join(map(str, best.absolute_path))
                print(f"{path}: line {count}: {where}: {best.message[:300]}")
    if not count:
        print(f"{path}: no lines")


def main():
    with open(sys.argv[1], encoding="utf-8") as f:
        schema = json.load(f)
    jsonschema.Draft202012Validator.check_schema(schema)
    close(schema)
    any_of = jsonschema.Draft202012Validator(schema)
    for entry in sys.stdin:
        definition, path = entry.split()
        try:
            check(schema, any_of, definition, path)
        except ValueError as e:
            print(f"{path}: {e}")
    print("done")


main()
