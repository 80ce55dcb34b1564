import type { Settings } from '../../config/settings.ts';
import { isolationFix } from '../../runtime/sandbox/isolation-fix.ts';
import { levelSentences } from '../../runtime/sandbox/level.ts';
import { openIsolation } from '../wiring/isolation.ts';
import { type Check, checksOf } from './check.ts';

const { ok, warn, fail } = checksOf('isolation');

/** The isolation level in force, and why it is not higher. */
export async function checkIsolation(settings: Settings): Promise<Check> {
  const name = 'isolation';
  const { level, reason } = await openIsolation(settings, false);
  const message = `${level}: ${levelSentences[level]} (${reason})`;
  const fix = isolationFix(reason);
  if (level === 'A') return ok(name, message);
  return level === 'none' ? fail(name, message, fix) : warn(name, message, fix);
}
