import { namelessFile } from '../bubblewrap/nameless-file.ts';
import { type SyscallTable, syscallsOf } from './syscalls.ts';

/**
 * `capsule`: no sockets, no child processes, no shared memory. `confined capsule`: also no changes of attributes of
 * files and other processes, if they are visible. `tool`: child processes and Unix sockets. `networked tool`: also IP
 * sockets, for the loopback of its own network namespace. `confined tool`: child processes, but no sockets with an address,
 * no messages and no limits of other processes, if nothing else isolates it from those of other programs.
 */
export type FilterVariant =
  | 'capsule'
  | 'confined capsule'
  | 'tool'
  | 'networked tool'
  | 'confined tool';

/** Opcodes of classic BPF and return values of seccomp (linux/bpf_common.h, linux/seccomp.h). */
const LOAD = 0x20;
const IF_EQUAL = 0x15;
const IF_AT_LEAST = 0x35;
const IF_ANY_BIT = 0x45;
const RETURN = 0x06;
const ALLOW = 0x7fff0000;
const KILL = 0x80000000;
const refuseWith = (errno: number): number => 0x00050000 | errno;
const REFUSE = refuseWith(1);
const MISSING = refuseWith(38);

/** Offsets in `seccomp_data`; of an argument, its lower half on a little-endian machine. */
const NUMBER_AT = 0;
const ARCH_AT = 4;
const argumentAt = (index: number): number => 16 + 8 * index;
const upperHalf = (at: number): number => at + 4;

const AF_UNIX = 1;
const AF_INET = 2;
const AF_INET6 = 10;
const CLONE_THREAD = 0x10000;
/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET. */
const CLONE_NEW_NAMESPACE = 0x7e020000;
/** Insert characters into the input of a terminal. */
const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;
/**
 * The only requests of ioctl(2) for capsules: TCGETS, TCGETS2, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX and FIOCLEX. Others
 * change attributes of a file that is open for reading, or network interfaces through the socket on stdin.
 */
const CAPSULE_REQUESTS = [0x5401, 0x802c542a, 0x5413, 0x541b, 0x5421, 0x5450, 0x5451] as const;
/** A lease on a file, of fcntl(2), lets whoever opens it elsewhere wait for up to 45 seconds, Capstan too. */
const F_SETLEASE = 1024;
/** This bit is also set in MAP_SHARED_VALIDATE, but not in MAP_PRIVATE. */
const MAP_SHARED = 0x01;
const MAP_ANONYMOUS = 0x20;
/** A mapping that grows like a stack, which the limit of memory does not count. */
const MAP_GROWSDOWN = 0x100;
/** S_ISUID and S_ISGID. */
const RUNS_AS_OWNER = 0o6000;
/** O_CREAT and __O_TMPFILE: a call that opens a file has a mode only with one of them. */
const CREATES = 0o20000100;
/** Largest System V segment of a tool, in bytes: databases use a small one as a lock; a namespace has 4,096. */
const MAX_SEGMENT_BYTES = 64 * 1024;

/**
 * Opens the system call filters of this architecture, each built when it is first needed.
 *
 * @returns Undefined if there is none. The caller closes the descriptors.
 */
export function filterDescriptors(): ((variant: FilterVariant) => number) | undefined {
  const table = syscallsOf(process.arch);
  if (table === undefined) return undefined;
  const made = new Map<FilterVariant, Buffer>();
  return (variant) => {
    const filter = made.get(variant) ?? seccompFilter(table, variant);
    made.set(variant, filter);
    return namelessFile(filter);
  };
}

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

const load = (at: number): Instruction => [LOAD, 0, 0, at];
const answer = (value: number): Instruction => [RETURN, 0, 0, value];
/** Skips the following instructions unless the comparison holds. */
const when = (code: number, value: number, ...then: readonly Instruction[]): Instruction[] => [
  [code, 0, then.length, value],
  ...then,
];

/**
 * A seccomp program in the kernel's format. System calls that it does not name are allowed.
 *
 * `clone3` and `openat2` pass their flags in memory, which a filter can't read: they fail with ENOSYS, so that programs
 * use `clone` and `openat`.
 */
function seccompFilter(table: SyscallTable, variant: FilterVariant): Buffer {
  const isCapsule = variant === 'capsule' || variant === 'confined capsule';
  const isConfined = variant === 'confined capsule' || variant === 'confined tool';
  const refused = [
    ...table.dangerous,
    ...(isCapsule ? beyondCapsules(table) : []),
    ...(isCapsule || isConfined ? table.messages : []),
    ...(variant === 'confined capsule' ? table.attributes : []),
  ];
  return encode([
    load(ARCH_AT),
    [IF_EQUAL, 1, 0, table.auditArch],
    answer(KILL),
    load(NUMBER_AT),
    ...(table.foreignFrom === undefined ? [] : when(IF_AT_LEAST, table.foreignFrom, answer(KILL))),
    ...refused.flatMap((number) => when(IF_EQUAL, number, answer(REFUSE))),
    ...[table.numberOf('clone3'), table.numberOf('openat2')].flatMap((number) =>
      when(IF_EQUAL, number, answer(MISSING)),
    ),
    ...(isConfined ? ownLimits(table) : []),
    ...ownRights(table),
    ...when(IF_EQUAL, table.numberOf('clone'), ...cloneRule(isCapsule)),
    ...when(IF_EQUAL, table.numberOf('ioctl'), ...requestRule(isCapsule)),
    ...when(
      IF_EQUAL,
      table.numberOf('fcntl'),
      load(argumentAt(1)),
      ...when(IF_EQUAL, F_SETLEASE, answer(REFUSE)),
      answer(ALLOW),
    ),
    ...countedMappings(table, isCapsule),
    ...(isCapsule ? [] : smallSegments(table)),
    ...(isCapsule
      ? []
      : when(
          IF_EQUAL,
          table.numberOf('socket'),
          load(argumentAt(0)),
          ...families[variant].flatMap((family) => when(IF_EQUAL, family, answer(ALLOW))),
          answer(REFUSE),
        )),
    answer(ALLOW),
  ]);
}

const beyondCapsules = (table: SyscallTable): readonly number[] => [
  ...table.forks,
  ...table.connections,
  ...table.shared,
  table.numberOf('socket'),
];

/** Limits of other processes can be read, but not set. */
const ownLimits = (table: SyscallTable): readonly Instruction[] =>
  when(
    IF_EQUAL,
    table.numberOf('prlimit'),
    load(argumentAt(0)),
    ...when(IF_EQUAL, 0, answer(ALLOW)),
    load(argumentAt(2)),
    ...when(IF_AT_LEAST, 1, answer(REFUSE)),
    load(upperHalf(argumentAt(2))),
    ...when(IF_AT_LEAST, 1, answer(REFUSE)),
    answer(ALLOW),
  );

/** Denies setuid and setgid bits: anyone who later runs such a file would have the permissions of its owner. */
const ownRights = (table: SyscallTable): readonly Instruction[] => [
  ...table.modes.flatMap(([number, mode]) => when(IF_EQUAL, number, ...checkMode(mode))),
  ...table.opens.flatMap(([number, flags, mode]) =>
    when(
      IF_EQUAL,
      number,
      load(argumentAt(flags)),
      ...when(IF_ANY_BIT, CREATES, ...checkMode(mode)),
      answer(ALLOW),
    ),
  ),
];

const checkMode = (argument: number): readonly Instruction[] => [
  load(argumentAt(argument)),
  ...when(IF_ANY_BIT, RUNS_AS_OWNER, answer(REFUSE)),
  answer(ALLOW),
];

/** Denies mappings that no limit of a process counts: those that grow, and for capsules shared anonymous ones. */
const countedMappings = (table: SyscallTable, isCapsule: boolean): readonly Instruction[] =>
  when(
    IF_EQUAL,
    table.numberOf('mmap'),
    load(argumentAt(3)),
    ...when(IF_ANY_BIT, MAP_GROWSDOWN, answer(REFUSE)),
    ...(isCapsule
      ? when(IF_ANY_BIT, MAP_ANONYMOUS, ...when(IF_ANY_BIT, MAP_SHARED, answer(REFUSE)))
      : []),
    answer(ALLOW),
  );

/** Limits System V segments, because an unattached one belongs to no process. */
const smallSegments = (table: SyscallTable): readonly Instruction[] =>
  when(
    IF_EQUAL,
    table.numberOf('shmget'),
    load(upperHalf(argumentAt(1))),
    ...when(IF_AT_LEAST, 1, answer(REFUSE)),
    load(argumentAt(1)),
    ...when(IF_AT_LEAST, MAX_SEGMENT_BYTES + 1, answer(REFUSE)),
    answer(ALLOW),
  );

const families: Readonly<Record<FilterVariant, readonly number[]>> = {
  capsule: [],
  'confined capsule': [],
  tool: [AF_UNIX],
  'networked tool': [AF_UNIX, AF_INET, AF_INET6],
  'confined tool': [],
};

/** Allows `clone` for threads. */
const cloneRule = (isCapsule: boolean): readonly Instruction[] =>
  isCapsule
    ? [load(argumentAt(0)), ...when(IF_ANY_BIT, CLONE_THREAD, answer(ALLOW)), answer(REFUSE)]
    : [
        load(argumentAt(0)),
        ...when(IF_ANY_BIT, CLONE_NEW_NAMESPACE, answer(REFUSE)),
        answer(ALLOW),
      ];

/** Of `ioctl`: a few for capsules; for tools all but those of terminals. */
function requestRule(isCapsule: boolean): readonly Instruction[] {
  const requests = isCapsule ? CAPSULE_REQUESTS : [TIOCSTI, TIOCLINUX];
  const [listed, other] = isCapsule ? [ALLOW, REFUSE] : [REFUSE, ALLOW];
  return [
    load(argumentAt(1)),
    ...requests.flatMap((request) => when(IF_EQUAL, request, answer(listed))),
    answer(other),
  ];
}

function encode(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8);
  program.forEach(([code, ifTrue, ifFalse, value], at) => {
    bytes.writeUInt16LE(code, at * 8);
    bytes.writeUInt8(ifTrue, at * 8 + 2);
    bytes.writeUInt8(ifFalse, at * 8 + 3);
    bytes.writeUInt32LE(value >>> 0, at * 8 + 4);
  });
  return bytes;
}
