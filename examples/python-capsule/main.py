"""A capsule in plain Python: counts the words of one text file. It opens nothing itself, it asks."""
import itertools
import json
import re
import sys
from collections import Counter

ids = (f"i{number}" for number in itertools.count(1))


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
named = re.search(r"[\w./-]+\.(?:txt|md)\b", request["task"])
path = request["context"].get("input", {}).get("path") or (named and named.group())
if path is None:
    respond("error", {"code": "INPUT_INVALID", "message": "The task names no .txt or .md file."})
    sys.exit()
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
    respond("ok", {"text": text, "data": {"total": words.total(), "different": len(words), "top": top}})
