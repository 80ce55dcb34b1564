/** The system calls of one architecture: its id in `seccomp_data.arch` (linux/audit.h) and its numbers. */
export interface SyscallTable {
  readonly auditArch: number;
  /** Numbers from here on belong to another calling convention (x32). */
  readonly foreignFrom: number | undefined;
  readonly clone: number;
  readonly clone3: number;
  readonly socket: number;
  readonly ioctl: number;
  readonly mmap: number;
  readonly shmget: number;
  readonly memfdCreate: number;
  /** System calls that set permission bits, and the index of that argument. */
  readonly modes: readonly (readonly [number: number, mode: number])[];
  /** System calls that open a file, with the indexes of the flags and of the mode of a new file. */
  readonly opens: readonly (readonly [number: number, flags: number, mode: number])[];
  readonly openat2: number;
  /** `fork` and `vfork`, if they exist. */
  readonly forks: readonly number[];
  /** System calls that create or accept connections. */
  readonly connections: readonly number[];
  /**
   * System calls that change the mode, owner, times and attributes of files, priorities, and the host name. Landlock does not
   * cover it.
   */
  readonly attributes: readonly number[];
  readonly prlimit: number;
  /** System calls that no sandboxed program needs: mounts, namespaces, tracing, kernel modules, keys, io_uring. */
  readonly dangerous: readonly number[];
}

/** Numbers from 424 on are the same everywhere: pidfd_getfd, io_uring, the new mount calls, memfd_secret. */
const newer = [425, 426, 427, 428, 429, 430, 431, 432, 433, 438, 442, 447];

/** The same everywhere: fchmodat2, setxattrat, removexattrat, file_setattr. */
const newerAttributes = [452, 463, 466, 469];

/** arch/x86/entry/syscalls/syscall_64.tbl */
const x64: SyscallTable = {
  auditArch: 0xc000003e,
  foreignFrom: 0x40000000,
  clone: 56,
  clone3: 435,
  socket: 41,
  ioctl: 16,
  mmap: 9,
  shmget: 29,
  memfdCreate: 319,
  // chmod, fchmod, fchmodat, fchmodat2, creat, mknod, mknodat
  modes: [
    ...([
      [90, 1],
      [91, 1],
      [268, 2],
      [452, 2],
    ] as const),
    ...([
      [85, 1],
      [133, 1],
      [259, 2],
    ] as const),
  ],
  // open, openat
  opens: [
    [2, 1, 2],
    [257, 2, 3],
  ],
  openat2: 437,
  forks: [57, 58],
  // connect, accept, bind, listen, socketpair, accept4
  connections: [42, 43, 49, 50, 53, 288],
  attributes: [
    ...[90, 91, 268], // chmod, fchmod, fchmodat
    ...[92, 93, 94, 260], // chown, fchown, lchown, fchownat
    ...[132, 235, 261, 280], // utime, utimes, futimesat, utimensat
    ...[188, 189, 190, 197, 198, 199], // setxattr, lsetxattr, fsetxattr, removexattr, lremovexattr, fremovexattr
    ...[141, 251], // setpriority, ioprio_set
    ...[142, 144, 203, 314], // sched_setparam, sched_setscheduler, sched_setaffinity, sched_setattr
    ...[170, 171], // sethostname, setdomainname
    ...newerAttributes,
  ],
  prlimit: 302,
  dangerous: [
    101, // ptrace
    103, // syslog
    135, // personality
    154, // modify_ldt
    155, // pivot_root
    161, // chroot
    163, // acct
    165, // mount
    166, // umount2
    167, // swapon
    168, // swapoff
    169, // reboot
    172, // iopl
    173, // ioperm
    175, // init_module
    176, // delete_module
    179, // quotactl
    212, // lookup_dcookie
    246, // kexec_load
    248, // add_key
    249, // request_key
    250, // keyctl
    272, // unshare
    298, // perf_event_open
    303, // name_to_handle_at
    304, // open_by_handle_at
    308, // setns
    310, // process_vm_readv
    311, // process_vm_writev
    312, // kcmp
    313, // finit_module
    320, // kexec_file_load
    321, // bpf
    323, // userfaultfd
    ...newer,
  ],
};

/** include/uapi/asm-generic/unistd.h */
const arm64: SyscallTable = {
  auditArch: 0xc00000b7,
  foreignFrom: undefined,
  clone: 220,
  clone3: 435,
  socket: 198,
  ioctl: 29,
  mmap: 222,
  shmget: 194,
  memfdCreate: 279,
  // fchmod, fchmodat, fchmodat2, mknodat
  modes: [
    [52, 1],
    [53, 2],
    [452, 2],
    [33, 2],
  ],
  // openat
  opens: [[56, 2, 3]],
  openat2: 437,
  forks: [],
  // socketpair, bind, listen, accept, connect, accept4
  connections: [199, 200, 201, 202, 203, 242],
  attributes: [
    ...[52, 53], // fchmod, fchmodat
    ...[54, 55], // fchownat, fchown
    88, // utimensat
    ...[5, 6, 7, 14, 15, 16], // setxattr, lsetxattr, fsetxattr, removexattr, lremovexattr, fremovexattr
    ...[140, 30], // setpriority, ioprio_set
    ...[118, 119, 122, 274], // sched_setparam, sched_setscheduler, sched_setaffinity, sched_setattr
    ...[161, 162], // sethostname, setdomainname
    ...newerAttributes,
  ],
  prlimit: 261,
  dangerous: [
    18, // lookup_dcookie
    39, // umount2
    40, // mount
    41, // pivot_root
    51, // chroot
    60, // quotactl
    89, // acct
    92, // personality
    97, // unshare
    104, // kexec_load
    105, // init_module
    106, // delete_module
    116, // syslog
    117, // ptrace
    142, // reboot
    217, // add_key
    218, // request_key
    219, // keyctl
    224, // swapon
    225, // swapoff
    241, // perf_event_open
    264, // name_to_handle_at
    265, // open_by_handle_at
    268, // setns
    270, // process_vm_readv
    271, // process_vm_writev
    272, // kcmp
    273, // finit_module
    280, // bpf
    282, // userfaultfd
    294, // kexec_file_load
    ...newer,
  ],
};

const tables: ReadonlyMap<string, SyscallTable> = new Map([
  ['x64', x64],
  ['arm64', arm64],
]);

/** By `process.arch`; undefined if there is no filter. */
export const syscallsOf = (arch: string): SyscallTable | undefined => tables.get(arch);
