import { bootId, hasProcess, pidNamespace, startTick } from '../../platform/process-mark.ts';

/**
 * Identifies one process across reuse of its id: the process id, its start tick, the boot id of the machine and the
 * namespace of process ids. A part that the kernel does not report is `-`.
 */
export const identityOf = (pid: number): string => `${pid}:${startTick(pid)}:${hostIdentity()}`;

let own: string | undefined;

/** The identity of this process. */
export function ownIdentity(): string {
  own ??= identityOf(process.pid);
  return own;
}

/** How long a lease lasts, and how often its holder renews it, in milliseconds. */
const LEASE_MS = 15_000;
export const HEARTBEAT_MS = 5_000;

export const leaseFrom = (now: Date): string => new Date(now.getTime() + LEASE_MS).toISOString();

/** How long after the last heartbeat of a lease something happened, in milliseconds: at most the lease. */
export const sinceHeartbeat = (leaseUntil: string, at: string): number =>
  Math.min(Math.max(Date.parse(at) - Date.parse(leaseUntil) + LEASE_MS, 0), LEASE_MS);

/**
 * Whether the process of this identity is alive. A process of another boot or container counts as alive until its lease
 * ends. A process without a known start tick also needs a valid lease, since its id may have been reused.
 */
export function isAlive(identity: string, leaseUntil: string | null, now: Date): boolean {
  const [id = '', tick, ...where] = identity.split(':');
  const isLeased = leaseUntil !== null && Date.parse(leaseUntil) > now.getTime();
  if (where.join(':') !== hostIdentity()) return isLeased;
  const pid = Number(id);
  if (!Number.isInteger(pid) || pid <= 0 || !hasProcess(pid)) return false;
  return identityOf(pid) === identity && (tick !== '-' || isLeased);
}

let ownHost: string | undefined;

function hostIdentity(): string {
  ownHost ??= `${bootId()}:${pidNamespace()}`;
  return ownHost;
}
