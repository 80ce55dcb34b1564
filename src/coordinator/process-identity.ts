import { bootId, hasProcess, pidNamespace, startTick } from '../platform/process-mark.ts';

/**
 * Names one life of one process: its id, the tick at which it started, so that a reused id is not mistaken for it, and
 * where that id means anything: the boot of the machine and the namespace of process ids. What the kernel does not
 * tell is `-`.
 */
export const identityOf = (pid: number): string => `${pid}:${startTick(pid)}:${place()}`;

let own: string | undefined;

/** The identity of this very process. */
export function ownIdentity(): string {
  own ??= identityOf(process.pid);
  return own;
}

/** How long a lease lasts, and how often its holder renews it, in milliseconds. */
export const LEASE_MS = 15_000;
export const HEARTBEAT_MS = 5_000;

export const leaseFrom = (now: Date): string => new Date(now.getTime() + LEASE_MS).toISOString();

/**
 * Whether the process of that identity still lives. One of another boot or container can't be looked at, and where the
 * kernel does not tell when a process started its id may have been used again: there the lease says so, too.
 */
export function isAlive(identity: string, leaseUntil: string | null, now: Date): boolean {
  const [id = '', tick, ...where] = identity.split(':');
  const isLeased = leaseUntil !== null && Date.parse(leaseUntil) > now.getTime();
  if (where.join(':') !== place()) return isLeased;
  const pid = Number(id);
  if (!Number.isInteger(pid) || pid <= 0 || !hasProcess(pid)) return false;
  return identityOf(pid) === identity && (tick !== '-' || isLeased);
}

let here: string | undefined;

function place(): string {
  here ??= `${bootId()}:${pidNamespace()}`;
  return here;
}
