"""A capsule in plain Python: counts the words of one text file. It opens nothing itself, it asks."""
import itertools
import json
import re
import sys
from collections import Counter

ids = (f"i{number}" for number in itertools.count(1))
FILE = r"[\w./-]+\.(?:txt|md)\b"
FREQUENT = {"frequent", "common", "frequency", "frequencies"}
ASKS = FREQUENT | {"count", "many", "number"}
KNOWN = ASKS | set("the word words of in for how which what is are there does do has have most file please list show".split())


def send(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def receive():
    line = sys.stdin.buffer.readline()
    if not line:
        sys.exit(1)  # the coordinator is gone
    return json.loads(line)


def call(tool, args, reason):
    send({"type": "tool_call_intent", "id": next(ids), "tool": tool, "args": args, "reason": reason})
    return receive()


def respond(status, result):
    send({"type": "agent_response", "status": status, "result": result})


request = receive()
given = request["context"].get("input", {}).get("path")
named = [given] if given else re.findall(FILE, request["task"])
said = set(re.findall(r"[^\s.,;:!?`\"]+", re.sub(FILE, " ", request["task"]).lower()))
if len(named) != 1 or said - KNOWN or not said & ASKS:
    # Every word of the task must be known: otherwise a count would look like the answer to another question.
    why = f"I don't know {sorted(said - KNOWN)}; I" if said - KNOWN else "I"
    respond("error", {"code": "NOT_UNDERSTOOD", "message": f"{why} count the words of one .txt or .md file."})
    sys.exit()
path = named[0]
send({"type": "progress", "text": f"counting the words of {path}"})
reply = call("file_io", {"operation": "read", "path": path}, "to count its words")
if not reply["ok"]:
    respond("error", reply["error"])
elif reply["result"].get("truncated"):
    respond("error", {"code": "INPUT_INVALID", "message": f"{path} is too long to count in one piece."})
else:
    words = Counter(re.findall(r"\w+", reply["result"]["content"].lower()))
    top = [{"word": word, "count": count} for word, count in words.most_common(10)]
    text = f"{path} has {words.total()} words, {len(words)} different ones."
    if said & FREQUENT:
        text += " Most frequent: " + ", ".join(f"{one['word']} ({one['count']})" for one in top) + "."
    respond("ok", {"text": text, "data": {"total": words.total(), "different": len(words), "top": top}})
