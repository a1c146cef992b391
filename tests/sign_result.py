# SPDX-License-Identifier: BSD-3-Clause
# Makes the sha256 of a result of clup bench anew, from doc/result.schema.json's words alone.
#
#   python3 sign_result.py FILE
import hashlib
import json
import sys


def text(value):
    """JSON without white space, keys sorted, real numbers with 15 digits as C's %.15g and at least a ".0"."""
    if isinstance(value, dict):
        return "{" + ",".join(json.dumps(k, ensure_ascii=False) + ":" + text(value[k]) for k in sorted(value)) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(text, value)) + "]"
    if isinstance(value, float):
        digits = "%.15g" % value
        mantissa, e, exponent = digits.partition("e")
        if not e:
            return digits if "." in digits else digits + ".0"
        return mantissa + "e" + ("-" if exponent[0] == "-" else "") + exponent[1:].lstrip("0")
    return json.dumps(value, ensure_ascii=False)


with open(sys.argv[1], encoding="utf-8") as file:
    result = json.load(file)
result.pop("sha256", None)
result["sha256"] = hashlib.sha256(text(result).encode()).hexdigest()
with open(sys.argv[1], "w", encoding="utf-8") as file:
    json.dump(result, file, ensure_ascii=False)
