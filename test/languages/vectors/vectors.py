# Prints for each token vector whether the page's code accepts it, as JSON.
import json, sys
from server import is_bound, verify

def is_accepted(vector):
    try:
        claims = verify(vector["token"], vector["secret"], vector["now"])
        return is_bound(claims, vector.get("body", "").encode())
    except Exception:
        return False

print(json.dumps([is_accepted(v) for v in json.load(open(sys.argv[1], encoding="utf-8"))["vectors"]]))
