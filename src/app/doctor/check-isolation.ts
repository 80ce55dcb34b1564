import type { Settings } from '../../config/settings.ts';
import { isolationFix } from '../../runtime/sandbox/find/isolation-fix.ts';
import { levelSentences } from '../../runtime/sandbox/find/level.ts';
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
  } catch {
    const wanted = settings.isolation === 'auto' ? '' : `${settings.isolation} is required. `;
    return fail(name, `${wanted}${message}`, fix);
  }
  return level === 'A' ? ok(name, message) : warn(name, message, fix);
}
