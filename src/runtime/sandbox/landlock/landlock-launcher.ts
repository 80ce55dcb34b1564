/**
 * The program that applies Landlock and the system call filter to itself and then executes the given program. Its plan is
 * one JSON document in `argv[1]`: nothing in it is secret. For `python3 -IS -c`.
 *
 * System calls 444 to 446 and the bits are those of linux/landlock.h; they are the same on every processor.
 */
export const LANDLOCK_LAUNCHER = `
import ctypes, json, os, sys
plan = json.loads(sys.argv[1])
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long

def call(number, *args):
    found = libc.syscall(ctypes.c_long(number), *args)
    if found < 0:
        error = ctypes.get_errno()
        sys.exit('landlock: system call %d: %s' % (number, os.strerror(error)))
    return found

abi = libc.syscall(ctypes.c_long(444), None, ctypes.c_size_t(0), ctypes.c_uint32(1))
if abi < 4:
    sys.exit('landlock: version %d is too old, 4 is needed' % abi)
FILES = (1 << (16 if abi >= 5 else 15)) - 1
ON_FILE = 1 | 2 | 4 | (1 << 14) | (1 << 15)
RIGHTS = {'read': 1 | 4 | 8, 'write': FILES, 'list': 8}

class Ruleset(ctypes.Structure):
    _fields_ = [('fs', ctypes.c_uint64), ('net', ctypes.c_uint64), ('scoped', ctypes.c_uint64)]

class Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = [('allowed', ctypes.c_uint64), ('fd', ctypes.c_int32)]

wanted = Ruleset(FILES, 3, 3 if abi >= 6 else 0)
size = 24 if abi >= 6 else 16
ruleset = call(444, ctypes.byref(wanted), ctypes.c_size_t(size), ctypes.c_uint32(0))
for path, right in plan['paths']:
    try:
        fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        continue
    allowed = RIGHTS[right] & FILES
    if not os.path.isdir('/proc/self/fd/%d' % fd):
        allowed &= ON_FILE
    rule = Beneath(allowed, fd)
    call(445, ctypes.c_int(ruleset), ctypes.c_int(1), ctypes.byref(rule), ctypes.c_uint32(0))
    os.close(fd)
# PR_SET_PDEATHSIG: it ends with the process that started it.
libc.prctl(1, 9, 0, 0, 0)
if libc.prctl(38, 1, 0, 0, 0) != 0:
    sys.exit('landlock: no_new_privs was denied')
# Root without capabilities: with no_new_privs, no program that it executes regains them.
if libc.capset((ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()) != 0:
    sys.exit('landlock: capabilities could not be dropped')
os.chdir(plan['cwd'])
call(446, ctypes.c_int(ruleset), ctypes.c_uint32(0))
os.close(ruleset)

code = b''
while True:
    part = os.read(plan['filter'], 65536)
    if not part:
        break
    code += part
os.close(plan['filter'])

class Program(ctypes.Structure):
    _fields_ = [('length', ctypes.c_ushort), ('code', ctypes.c_char_p)]

program = Program(len(code) // 8, code)
if libc.prctl(22, 2, ctypes.byref(program), 0, 0) != 0:
    sys.exit('landlock: the system call filter was denied')
argv = plan['argv']
try:
    os.execvpe(argv[0], argv, dict(os.environ))
except OSError as error:
    sys.exit('landlock: execvp %s: %s' % (argv[0], error.strerror))
`;
