import type { Settings } from '../../config/settings.ts';
import { AppError, failedWith } from '../../contract/errors.ts';
import type { IsolationLevel } from '../../contract/permissions/isolation.ts';
import { oncePer } from '../../platform/once.ts';
import { isUnbounded } from '../../runtime/process/process-bound.ts';
import { type CapsuleRunner, runCapsule } from '../../runtime/runner.ts';
import {
  clearIsolationCache,
  findIsolation,
  type Isolation,
} from '../../runtime/sandbox/find/find-isolation.ts';
import { isolationFix } from '../../runtime/sandbox/find/isolation-fix.ts';
import { isAtLeast, levelSentences } from '../../runtime/sandbox/find/level.ts';
import { bare } from '../../runtime/sandbox/levels/bare.ts';

const WAIVED = 'isolation was waived';

const waived: Isolation = { level: 'none', reason: WAIVED, sandbox: bare };

/** By cache folder and readable folders. */
const found = new Map<string, Promise<Isolation>>();

/**
 * The isolation level of this process: found once, and never lowered afterwards.
 *
 * @param isWaived The user accepts the risk of running without isolation.
 */
export async function openIsolation(
  { places: { cacheDir }, sandboxRead: readable }: Pick<Settings, 'places' | 'sandboxRead'>,
  isWaived: boolean,
): Promise<Isolation> {
  if (isWaived) return waived;
  const key = JSON.stringify([cacheDir, readable]);
  const known = found.get(key) ?? findIsolation({ cacheDir, readable });
  found.set(key, known);
  known.catch(() => found.delete(key));
  return known;
}

/**
 * @param before The level at which the run began: it never continues at a lower one.
 * @throws AppError `ISOLATION_REFUSED` if a higher level is required than is available; `ISOLATION_MISSING` if no level
 *   is available and isolation was not waived.
 */
export function assertIsolation(
  { isolation: required }: Pick<Settings, 'isolation'>,
  { level, reason }: Isolation,
  before: string | undefined,
): void {
  const refuse = (wanted: string) => {
    throw new AppError('ISOLATION_REFUSED', {
      wanted,
      inForce: level,
      why: reason,
      fix: isolationFix(reason),
    });
  };
  if (required !== 'auto' && !isAtLeast(level, required)) refuse(required);
  const [began] = before?.split(':') ?? [];
  if ((began === 'A' || began === 'B' || began === 'C') && !isAtLeast(level, began)) refuse(began);
  if (level === 'none' && reason !== WAIVED)
    throw new AppError('ISOLATION_MISSING', { why: reason, fix: isolationFix(reason) });
}

/** Level and reason as the row of a run stores them: `A: reason`. */
export const isolationRecord = ({ level, reason }: Isolation): string => `${level}: ${reason}`;

/** Notices for the start of a run; none at level A. Like the level, found once. */
export const isolationNotices = oncePer(({ level, reason }: Isolation): readonly string[] => {
  if (level === 'A') return [];
  const notice = `Isolation level ${level}: ${levelSentences[level]} (${reason}).`;
  return [reason === WAIVED ? notice : `${notice} ${isolationFix(reason)}`, ...groupNotices(level)];
});

/** What does not hold for root without control groups. */
export function groupNotices(level: IsolationLevel): readonly string[] {
  if (!isUnbounded()) return [];
  const rest =
    level === 'A'
      ? ''
      : ', and processes that leave its process group can outlive its time limit and exceed the memory limit';
  return [
    `Capstan runs as root and can't create control groups: a command can start more than 512 processes before it is ended${rest}. Run Capstan as a normal user, or make /sys/fs/cgroup writable.`,
  ];
}

/** Starts capsules in this sandbox. If it fails, the next run tests it again. */
export const isolated =
  ({ sandbox }: Isolation, { places }: Pick<Settings, 'places'>): CapsuleRunner =>
  async (options) => {
    try {
      return await runCapsule({ ...options, sandbox });
    } catch (error) {
      if (failedWith(error, 'CAPSULE_NOT_ISOLATED')) {
        clearIsolationCache(places.cacheDir);
        found.clear();
      }
      throw error;
    }
  };
