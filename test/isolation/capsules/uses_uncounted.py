"""Takes memory or threads that no limit of a process counts, in the way that its argument names, and stays."""
import ctypes
import json
import mmap
import sys
import threading
import time

MIB = 1 << 20
PAGE = 4096
MAYMOVE = 1
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = libc.mremap.restype = ctypes.c_void_p
libc.mremap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_int]
libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]


def map_memory(size, protection, flags):
    found = libc.mmap(None, ctypes.c_size_t(size), protection, flags | 0x22, -1, ctypes.c_long(0))
    if found == ctypes.c_void_p(-1).value:
        raise OSError(ctypes.get_errno(), "mmap")
    return found


def read_only():
    for _ in range(32):
        part = map_memory(64 * MIB, mmap.PROT_READ | mmap.PROT_WRITE, 0)
        ctypes.memset(part, 1, 64 * MIB)
        libc.mprotect(part, 64 * MIB, mmap.PROT_READ)


def moved_stack():
    # The values of the environment are at the end of the stack.
    first = ctypes.POINTER(ctypes.c_void_p).in_dll(libc, "environ")[0]
    page = first & -PAGE
    moved = libc.mremap(page, PAGE, 2048 * MIB, MAYMOVE)
    if moved == ctypes.c_void_p(-1).value:
        raise OSError(ctypes.get_errno(), "mremap")
    for at in range(1, 2048):
        ctypes.memset(moved + at * MIB, 1, MIB)


def page_tables():
    size = 1 << 40
    # MAP_NORESERVE
    part = map_memory(size, mmap.PROT_READ, 0x4000)
    for at in range(0, size, 2 * MIB):
        ctypes.c_char.from_address(part + at).value


def threads():
    threading.stack_size(64 * 1024)
    while True:
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()


sys.stdin.readline()
try:
    {"read-only": read_only, "stack": moved_stack, "tables": page_tables, "threads": threads}[sys.argv[1]]()
    time.sleep(5)
    text = "done"
except (OSError, RuntimeError) as error:
    text = str(error)
answer = {"type": "agent_response", "status": "ok", "result": {"text": text}, "artifacts": [], "memory_updates": []}
print(json.dumps(answer), flush=True)
