import type { Settings } from '../../config/settings.ts';
import { AppError, failedWith } from '../../contract/errors.ts';
import { type CapsuleRunner, runCapsule } from '../../runtime/runner.ts';
import { bare } from '../../runtime/sandbox/bare.ts';
import {
  findIsolation,
  forgetIsolation,
  type Isolation,
} from '../../runtime/sandbox/find-isolation.ts';
import { isAtLeast, levelSentences } from '../../runtime/sandbox/level.ts';

const ASKED_FOR = 'asked for with --dangerously-no-isolation';

/**
 * The isolation in force for this process: found once, and never lowered afterwards.
 *
 * @param isWaived The person gave `--dangerously-no-isolation`.
 */
export async function openIsolation(
  { places, sandboxRead }: Pick<Settings, 'places' | 'sandboxRead'>,
  isWaived: boolean,
): Promise<Isolation> {
  if (isWaived) return { level: 'none', reason: ASKED_FOR, sandbox: bare };
  return findIsolation({ cacheDir: places.cacheDir, readable: sandboxRead });
}

/**
 * @param before The level at which the run began: it never goes on at a lower one.
 * @throws AppError `ISOLATION_REFUSED` where more is wanted than there is; `ISOLATION_MISSING` where there is nothing,
 *   and nobody asked for nothing.
 */
export function assertIsolation(
  { isolation: wanted }: Pick<Settings, 'isolation'>,
  { level, reason }: Isolation,
  before: string | undefined,
): void {
  const refuse = (more: string) => {
    throw new AppError('ISOLATION_REFUSED', { wanted: more, inForce: level, why: reason });
  };
  if (wanted !== 'auto' && !isAtLeast(level, wanted)) refuse(wanted);
  const [began] = before?.split(':') ?? [];
  if ((began === 'A' || began === 'B' || began === 'C') && !isAtLeast(level, began)) refuse(began);
  if (level === 'none' && reason !== ASKED_FOR)
    throw new AppError('ISOLATION_MISSING', { why: reason });
}

/** Level and reason as they stand in the row of a run. */
export const isolationRecord = ({ level, reason }: Isolation): string => `${level}: ${reason}`;

/** What is said at the start of a run; nothing where all is well. */
export function isolationNotices({ level, reason }: Isolation): string[] {
  if (level === 'A') return [];
  const better = process.platform === 'linux' ? ' Better: apt-get install bubblewrap.' : '';
  return [`Isolation level ${level}: ${levelSentences[level]} (${reason}).${better}`];
}

/** Starts capsules in the sandbox in force. One that fails is not trusted at the next start without a trial. */
export const isolated =
  ({ sandbox }: Isolation, { places }: Pick<Settings, 'places'>): CapsuleRunner =>
  async (options) => {
    try {
      return await runCapsule({ ...options, sandbox });
    } catch (error) {
      if (failedWith(error, 'CAPSULE_NOT_ISOLATED')) forgetIsolation(places.cacheDir);
      throw error;
    }
  };
