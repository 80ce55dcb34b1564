import { messageOf } from '../errors.ts';
import type { Sandbox, SpawnPlan } from '../runtime/sandbox/sandbox.ts';
import { takeAwayNew } from '../runtime/sandbox/take-away.ts';
import { shownPath } from './paths.ts';
import type { Reach } from './reach.ts';
import type { ProcessRequest, ProcessResult } from './run-process.ts';

interface Ran {
  readonly plan: SpawnPlan;
  readonly sandbox: Sandbox;
  readonly reach: Reach;
}

type Hint = Pick<ProcessResult, 'hint'>;

/**
 * What a capsule should know of its process beyond what it said: that it could only read, or that protected files which
 * it made are gone again.
 */
export function hintOf(result: ProcessResult, { access }: ProcessRequest, ran: Ran): Hint {
  return access === 'read' ? readOnlyHint(result, ran) : takenHint(ran);
}

function readOnlyHint({ stdout, stderr }: ProcessResult, { sandbox: { level } }: Ran): Hint {
  if (level === 'none') return {};
  const refused = level === 'B' ? /permission denied|EACCES/i : /read-only file system|EROFS/i;
  if (!refused.test(stderr) && !refused.test(stdout)) return {};
  return {
    hint: 'The workspace could only be read, since the access was "read". If it has to be changed, ask again with the access "write".',
  };
}

const MOST_NAMED = 10;

function takenHint({ plan: { covered }, reach: { context } }: Ran): Hint {
  if (covered === undefined) return {};
  try {
    const taken = takeAwayNew(covered, context);
    if (taken === undefined) return {};
    const names = taken.paths
      .slice(0, MOST_NAMED)
      .map((path) => shownPath(context.workspace, path));
    const more = taken.paths.length - names.length;
    const rest = more > 0 ? ` and ${more} more` : '';
    return {
      hint: `It made protected files, which no tool may write; they were taken out of the workspace again (to ${taken.folder}): ${names.join(', ')}${rest}.`,
    };
  } catch (error) {
    return { hint: `Whether it made protected files could not be found out: ${messageOf(error)}` };
  }
}
