"""Asks for memory that counts in no limit of a process, in each way there is."""
import ctypes
import json
import mmap
import os
import resource
import sys

MAP_GROWSDOWN = 0x100
libc = ctypes.CDLL(None, use_errno=True)


def system_call(found):
    if found == -1:
        raise OSError(ctypes.get_errno(), "refused")


ways = [
    lambda: mmap.mmap(-1, 4096),
    lambda: os.memfd_create("x"),
    lambda: system_call(libc.syscall(447, 0)),
    lambda: system_call(libc.shmget(0, 4096, 0o1600)),
    lambda: mmap.mmap(os.open("/dev/zero", os.O_RDONLY), 4096, mmap.MAP_SHARED, mmap.PROT_READ),
    lambda: mmap.mmap(-1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | MAP_GROWSDOWN),
    lambda: resource.setrlimit(resource.RLIMIT_STACK, (resource.RLIM_INFINITY,) * 2),
]


def is_refused(way):
    try:
        way()
        return False
    except (PermissionError, FileNotFoundError, ValueError):
        return True


sys.stdin.readline()
text = f"refused x {sum(map(is_refused, ways))}"
answer = {"type": "agent_response", "status": "ok", "result": {"text": text}, "artifacts": [], "memory_updates": []}
print(json.dumps(answer), flush=True)
