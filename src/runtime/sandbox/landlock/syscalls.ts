/** Numbers of a system call. */
type Numbers = readonly [x64: number, arm64?: number];
type Group = Readonly<Record<string, Numbers>>;

/** arch/x86/entry/syscalls/syscall_64.tbl and include/uapi/asm-generic/unistd.h. */
const single = {
  ...{ clone: [56, 220], clone3: [435, 435], socket: [41, 198], ioctl: [16, 29], mmap: [9, 222] },
  ...{ shmget: [29, 194], openat2: [437, 437], prlimit: [302, 261], fcntl: [72, 25] },
} as const satisfies Record<string, readonly [number, number]>;

/** System calls that set permission bits, and the index of that argument. */
const modes: Readonly<Record<string, readonly [Numbers, mode: number]>> = {
  ...{ chmod: [[90], 1], fchmod: [[91, 52], 1], fchmodat: [[268, 53], 2] },
  ...{ fchmodat2: [[452, 452], 2], creat: [[85], 1], mknod: [[133], 1], mknodat: [[259, 33], 2] },
};

/** System calls that open a file, with the indexes of the flags and of the mode of a new file. */
const opens: Readonly<Record<string, readonly [Numbers, flags: number, mode: number]>> = {
  ...{ open: [[2], 1, 2], openat: [[257, 56], 2, 3] },
};

const forks: Group = { fork: [57], vfork: [58] };

/** System calls that create or accept connections. */
const connections: Group = {
  ...{ connect: [42, 203], accept: [43, 202], bind: [49, 200], listen: [50, 201] },
  ...{ socketpair: [53, 199], accept4: [288, 242] },
};

/** System calls that create memory that no limit of a process counts, and watches, of which a user has few, and which name files that can't be listed. */
const shared: Group = {
  ...{ memfd_create: [319, 279], inotify_init: [253], inotify_init1: [294, 26] },
};

/**
 * System V memory, semaphores and queues, and POSIX queues. No limit of a process counts them, and without a namespace of
 * its own, a process can use those of other programs: their ids are small numbers.
 */
const messages: Group = {
  ...{ shmget: [29, 194], shmat: [30, 196], shmctl: [31, 195] },
  ...{ semget: [64, 190], semop: [65, 193], semctl: [66, 191], semtimedop: [220, 192] },
  ...{ msgget: [68, 186], msgsnd: [69, 189], msgrcv: [70, 188], msgctl: [71, 187] },
  ...{ mq_open: [240, 180], mq_unlink: [241, 181], mq_timedsend: [242, 182] },
  ...{ mq_timedreceive: [243, 183], mq_notify: [244, 184], mq_getsetattr: [245, 185] },
};

/**
 * System calls that change the mode, owner and times of files, priorities, and the host name, and that read or change extended
 * attributes. Landlock does not cover them.
 */
const attributes: Group = {
  ...{ chmod: [90], fchmod: [91, 52], fchmodat: [268, 53], fchmodat2: [452, 452] },
  ...{ chown: [92], fchown: [93, 55], lchown: [94], fchownat: [260, 54] },
  ...{ utime: [132], utimes: [235], futimesat: [261], utimensat: [280, 88] },
  ...{ setxattr: [188, 5], lsetxattr: [189, 6], fsetxattr: [190, 7], setxattrat: [463, 463] },
  ...{ removexattr: [197, 14], lremovexattr: [198, 15], fremovexattr: [199, 16] },
  ...{ removexattrat: [466, 466], file_setattr: [469, 469] },
  ...{ getxattr: [191, 8], lgetxattr: [192, 9], fgetxattr: [193, 10], getxattrat: [464, 464] },
  ...{
    listxattr: [194, 11],
    llistxattr: [195, 12],
    flistxattr: [196, 13],
    listxattrat: [465, 465],
  },
  ...{ setpriority: [141, 140], ioprio_set: [251, 30], sched_setparam: [142, 118] },
  ...{ sched_setscheduler: [144, 119], sched_setaffinity: [203, 122], sched_setattr: [314, 274] },
  ...{ sethostname: [170, 161], setdomainname: [171, 162] },
};

/** System calls that no sandboxed program needs: mounts, namespaces, tracing, kernel modules, keys, io_uring, the clock. */
const dangerous: Group = {
  ...{ ptrace: [101, 117], syslog: [103, 116], personality: [135, 92], modify_ldt: [154] },
  ...{ pivot_root: [155, 41], chroot: [161, 51], acct: [163, 89], mount: [165, 40] },
  ...{ umount2: [166, 39], swapon: [167, 224], swapoff: [168, 225], reboot: [169, 142] },
  ...{ iopl: [172], ioperm: [173], init_module: [175, 105], delete_module: [176, 106] },
  ...{ quotactl: [179, 60], lookup_dcookie: [212, 18], kexec_load: [246, 104] },
  ...{ add_key: [248, 217], request_key: [249, 218], keyctl: [250, 219], unshare: [272, 97] },
  ...{ perf_event_open: [298, 241], name_to_handle_at: [303, 264] },
  ...{ open_by_handle_at: [304, 265], setns: [308, 268], process_vm_readv: [310, 270] },
  ...{ process_vm_writev: [311, 271], kcmp: [312, 272], finit_module: [313, 273] },
  ...{ kexec_file_load: [320, 294], bpf: [321, 280], userfaultfd: [323, 282] },
  ...{ io_uring_setup: [425, 425], io_uring_enter: [426, 426], io_uring_register: [427, 427] },
  ...{ open_tree: [428, 428], move_mount: [429, 429], fsopen: [430, 430], fsconfig: [431, 431] },
  ...{ fsmount: [432, 432], fspick: [433, 433], pidfd_getfd: [438, 438] },
  ...{ mount_setattr: [442, 442], memfd_secret: [447, 447], vhangup: [153, 58] },
  ...{ settimeofday: [164, 170], clock_settime: [227, 112] },
  ...{ adjtimex: [159, 171], clock_adjtime: [305, 266], fanotify_init: [300, 262] },
};

/** The system calls of one architecture. */
export type SyscallTable = ReturnType<typeof tableOf>;

/** The id of each architecture in `seccomp_data.arch` (linux/audit.h). */
const audited = { x64: 0xc000003e, arm64: 0xc00000b7 } as const;

/** By `process.arch`; undefined if there is no filter. */
export const syscallsOf = (arch: string): SyscallTable | undefined =>
  arch === 'x64' || arch === 'arm64' ? tableOf(arch) : undefined;

function tableOf(arch: keyof typeof audited) {
  const at = arch === 'x64' ? 0 : 1;
  const all = (group: Group) => Object.values(group).flatMap((numbers) => numbers[at] ?? []);
  const indexed = <Indexes extends readonly number[]>(
    group: Readonly<Record<string, readonly [Numbers, ...Indexes]>>,
  ) =>
    Object.values(group).flatMap(([numbers, ...indexes]) => {
      const number = numbers[at];
      return number === undefined ? [] : [[number, ...indexes] as const];
    });
  const numberOf = (name: keyof typeof single) => single[name][at];
  return {
    auditArch: audited[arch],
    /** Numbers from here on belong to another calling convention (x32). */
    foreignFrom: arch === 'x64' ? 0x40000000 : undefined,
    numberOf,
    modes: indexed(modes),
    opens: indexed(opens),
    forks: all(forks),
    connections: all(connections),
    shared: all(shared),
    messages: all(messages),
    attributes: all(attributes),
    dangerous: all(dangerous),
  };
}
