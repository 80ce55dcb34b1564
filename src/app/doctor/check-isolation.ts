import type { Settings } from '../../config/settings.ts';
import { messageOf } from '../../contract/errors.ts';
import { isolationFix } from '../../runtime/sandbox/isolation-fix.ts';
import { levelSentences } from '../../runtime/sandbox/level.ts';
import { assertIsolation, openIsolation } from '../wiring/isolation.ts';
import { type Check, checksOf } from './check.ts';

const { ok, warn, fail } = checksOf('isolation');

/** The isolation level in force, and why it is not higher. */
export async function checkIsolation(settings: Settings): Promise<Check> {
  const name = 'isolation';
  const isolation = await openIsolation(settings, false);
  const { level, reason } = isolation;
  const message = `${level}: ${levelSentences[level]} (${reason})`;
  const fix = isolationFix(reason);
  try {
    assertIsolation(settings, isolation, undefined);
  } catch (error) {
    return fail(name, messageOf(error), fix);
  }
  return level === 'A' ? ok(name, message) : warn(name, message, fix);
}
