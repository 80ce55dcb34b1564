/**
 * A program that tries every action that a sandbox must prevent, and prints the results as one JSON document on stdout,
 * `{"name": "done" | "<error code>"}`. It reads the actions as one JSON document from stdin.
 *
 * It runs inside, by `node -e`, so it is a string and not a module.
 */
export const SELF_TEST_PROGRAM = `
'use strict';
const fs = require('node:fs');
const os = require('node:os');
const net = require('node:net');
const dgram = require('node:dgram');
const { spawnSync } = require('node:child_process');
const plan = JSON.parse(fs.readFileSync(0, 'utf8'));
const found = {};
const codeOf = (error) => (error && (error.info?.code || error.code || error.message)) || 'failed';
const attempt = (name, act) => {
  try { act(); found[name] = 'done'; } catch (error) { found[name] = String(codeOf(error)); }
};
const mustRun = (program, args) => {
  const { error, status } = spawnSync(program, args, { stdio: 'ignore', timeout: 5000 });
  if (error) throw error;
  if (status !== 0) throw Object.assign(new Error('exit'), { code: 'exit code ' + status });
};
for (const [name, path] of plan.reads) attempt(name, () => {
  if (fs.statSync(path).isDirectory()) fs.readdirSync(path);
  else fs.readSync(fs.openSync(path), Buffer.alloc(1), 0, 1, 0);
});
for (const [name, folder] of plan.writes) attempt(name, () => {
  const path = folder + '/.capstan-self-test-' + process.pid;
  fs.writeFileSync(path, 'x');
  if (name !== 'outsideWrite') fs.rmSync(path);
});
attempt('attributes', () => {
  const [uid, gid] = [process.getuid(), process.getgid()];
  const ways = [
    () => fs.chmodSync(plan.canary, 0o600),
    () => fs.chownSync(plan.canary, uid, gid),
    () => fs.lchownSync(plan.canary, uid, gid),
    () => fs.utimesSync(plan.canary, 1, 1),
  ];
  let failure;
  for (const way of ways) {
    try { way(); return; } catch (error) { failure = error; }
  }
  throw failure;
});
attempt('priority', () => os.setPriority(plan.pid, 19));
attempt('sysctl', () => fs.closeSync(fs.openSync('/proc/sys/kernel/core_pattern', 'r+')));
attempt('inherited', () => {
  const standard = ['0', '1', '2'];
  const strange = fs.readdirSync('/proc/self/fdinfo').filter((fd) => {
    if (standard.includes(fd)) return false;
    try {
      const flags = /^flags:\\s*([0-7]+)/m.exec(fs.readFileSync('/proc/self/fdinfo/' + fd, 'utf8'));
      return flags && (parseInt(flags[1], 8) & 0o2000000) === 0;
    } catch { return false; }
  });
  if (strange.length === 0) throw new Error('none');
});
attempt('environments', () => {
  const seen = fs.readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name)).some((pid) => {
    try { return fs.readFileSync('/proc/' + pid + '/environ', 'utf8').includes(plan.mark); } catch { return false; }
  });
  if (!seen) throw new Error('not found');
});
attempt('signal', () => process.kill(plan.pid, 0));
attempt('processes', () => {
  const count = fs.readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name)).length;
  if (count > 4) return;
  throw new Error('only its own');
});
attempt('fork', () => mustRun('/bin/true', []));
attempt('namespace', () => mustRun('unshare', ['-U', 'true']));
if (plan.tmpBytes) attempt('tmp', () => {
  const path = '/tmp/.capstan-self-test-' + process.pid;
  const part = Buffer.alloc(1 << 20);
  const fd = fs.openSync(path, 'w');
  try {
    for (let left = plan.tmpBytes + part.length; left > 0; left -= part.length)
      if (fs.writeSync(fd, part) < part.length) throw Object.assign(new Error(), { code: 'ENOSPC' });
  } finally { fs.closeSync(fd); fs.rmSync(path, { force: true }); }
});
const connect = (name, target) => new Promise((resolve) => {
  let socket;
  const end = (how) => { found[name] = how; if (socket) socket.destroy(); resolve(); };
  const timer = setTimeout(() => end('done'), 500);
  timer.unref();
  try {
    socket = net.connect(target);
    socket.once('connect', () => end('done'));
    socket.once('error', (error) => end(error.code === 'ECONNREFUSED' ? 'done' : String(codeOf(error))));
  } catch (error) { end(String(codeOf(error))); }
  setTimeout(() => end('done'), 500);
});
const send = () => new Promise((resolve) => {
  const end = (how) => { found.udp = how; resolve(); };
  try {
    const socket = dgram.createSocket('udp4');
    socket.once('error', (error) => end(String(codeOf(error))));
    socket.send('x', plan.port, '127.0.0.1', (error) => {
      end(error ? String(codeOf(error)) : 'done');
      try { socket.close(); } catch {}
    });
  } catch (error) { end(String(codeOf(error))); }
});
Promise.all([
  connect('loopback', { host: '127.0.0.1', port: plan.port }),
  ...(plan.outside ? [connect('outside', { host: plan.outside, port: 80 })] : []),
  send(),
]).then(() => {
  fs.writeSync(1, JSON.stringify(found));
  process.exit(0);
});
`;

/**
 * Tries system calls that Node can't make: those for attributes of files, limits and priorities of other processes, shared
 * memory, semaphores and queues. Prints \`{"call": "done" | "<error code>"}\`. Arguments: a file, and the id of a process. For \`python3 -IS -c\`.
 */
export const ATTRIBUTE_TEST_PROGRAM = `
import ctypes, errno, fcntl, json, mmap, os, sys
libc = ctypes.CDLL(None, use_errno=True)
path, pid = sys.argv[1], int(sys.argv[2])
name, uid, gid = path.encode(), os.getuid(), os.getgid()
limits = (ctypes.c_uint64 * 2)(4096, 4096)
libc.mmap.restype = ctypes.c_void_p
# The C library changes the error of mq_unlink.
QUEUES = 240 if os.uname().machine == 'x86_64' else 180
def queue(number):
    call('syscall', QUEUES + number, *[ctypes.c_long(-1)] * 5)
def map_growing():
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x100
    if libc.mmap(None, ctypes.c_size_t(4096), 3, flags, -1, ctypes.c_long(0)) == ctypes.c_void_p(-1).value:
        raise OSError(ctypes.get_errno(), 'mmap')
def call(what, *args):
    if getattr(libc, what)(*args) < 0:
        raise OSError(ctypes.get_errno(), what)
found = {}
def attempt(what, act):
    try:
        act()
        found[what] = 'done'
    except OSError as error:
        found[what] = errno.errorcode.get(error.errno, str(error))
attempt('chmod', lambda: os.chmod(path, 0o600))
attempt('fchmod', lambda: os.fchmod(1, 0o600))
attempt('fchmodat', lambda: call('fchmodat', -100, name, 0o600, 0))
attempt('chown', lambda: os.chown(path, uid, gid))
attempt('lchown', lambda: os.lchown(path, uid, gid))
attempt('fchown', lambda: os.fchown(1, uid, gid))
attempt('utime', lambda: os.utime(path, (1, 1)))
attempt('setxattr', lambda: os.setxattr(path, 'user.x', b'y'))
attempt('removexattr', lambda: os.removexattr(path, 'user.x'))
attempt('getxattr', lambda: os.getxattr(path, 'user.x'))
attempt('lgetxattr', lambda: os.getxattr(path, 'user.x', follow_symlinks=False))
attempt('fgetxattr', lambda: os.getxattr(1, 'user.x'))
attempt('listxattr', lambda: os.listxattr(path))
attempt('llistxattr', lambda: os.listxattr(path, follow_symlinks=False))
attempt('flistxattr', lambda: os.listxattr(1))
attempt('FS_IOC_SETFLAGS', lambda: fcntl.ioctl(1, 0x40086602, bytes(8)))
attempt('FS_IOC_FSSETXATTR', lambda: fcntl.ioctl(1, 0x401c5820, bytes(28)))
attempt('FS_IOC_SETVERSION', lambda: fcntl.ioctl(1, 0x40087602, bytes(8)))
attempt('SIOCGIFCONF', lambda: fcntl.ioctl(0, 0x8912, bytes(16)))
attempt('F_SETLEASE', lambda: fcntl.fcntl(1, 1024, 0))
attempt('inotify_init', lambda: call('inotify_init'))
attempt('setpriority', lambda: os.setpriority(os.PRIO_PROCESS, pid, 19))
attempt('sched_setscheduler', lambda: os.sched_setscheduler(pid, os.SCHED_BATCH, os.sched_param(0)))
attempt('sched_setaffinity', lambda: os.sched_setaffinity(pid, [0]))
attempt('prlimit', lambda: call('prlimit', pid, 7, limits, None))
attempt('MAP_GROWSDOWN', map_growing)
attempt('shmget', lambda: call('shmget', 1, 0, 0))
attempt('shmat', lambda: call('shmat', 0, None, 0o10000))
attempt('shmctl', lambda: call('shmctl', 0, 2, ctypes.create_string_buffer(256)))
attempt('semget', lambda: call('semget', 1, 0, 0))
attempt('semop', lambda: call('semop', 0, ctypes.create_string_buffer(6), 0))
attempt('semtimedop', lambda: call('semtimedop', 0, ctypes.create_string_buffer(6), 0, None))
attempt('semctl', lambda: call('semctl', 0, 0, 12, 0))
attempt('msgget', lambda: call('msgget', 1, 0))
attempt('msgsnd', lambda: call('msgsnd', 0, ctypes.create_string_buffer(16), 0, 0o4000))
attempt('msgrcv', lambda: call('msgrcv', 0, ctypes.create_string_buffer(16), 0, 0, 0o44000))
attempt('msgctl', lambda: call('msgctl', 0, 2, ctypes.create_string_buffer(256)))
attempt('mq_open', lambda: queue(0))
attempt('mq_unlink', lambda: queue(1))
attempt('mq_timedsend', lambda: queue(2))
attempt('mq_timedreceive', lambda: queue(3))
attempt('mq_notify', lambda: queue(4))
attempt('mq_getsetattr', lambda: queue(5))
attempt('sethostname', lambda: call('sethostname', os.uname().nodename.encode(), len(os.uname().nodename)))
attempt('adjtimex', lambda: call('adjtimex', ctypes.create_string_buffer(208)))
print(json.dumps(found))
`;
