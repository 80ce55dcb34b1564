import { type Loop, requestsLeft, stepsLeft } from './loop.ts';

const LAST_STEP = 'This is your last step: call "final" now, and say what is not done.';
const LAST_BUT_ONE = 'Two steps are left, this one included: finish the work, then call "final".';

/** Numbers of remaining requests at which the model gets a notice. */
const FEW_REQUESTS = [8, 4];

/** Adds a notice to the last message, which the model has not seen yet, if a limit of the attempt is near. */
export function addNotices(loop: Loop): void {
  const last = loop.messages.at(-1);
  if (last === undefined || loop.metrics.steps === 0) return;
  for (const notice of [stepNotice(loop), requestNotice(loop)]) {
    if (notice !== undefined) last.content += `\n\n${notice}`;
  }
}

function stepNotice(loop: Loop): string | undefined {
  const left = stepsLeft(loop);
  if (left === 1) return LAST_STEP;
  return left === 2 ? LAST_BUT_ONE : undefined;
}

function requestNotice(loop: Loop): string | undefined {
  const left = requestsLeft(loop);
  const limit = left === undefined ? undefined : FEW_REQUESTS.findLast((few) => left <= few);
  if (limit === undefined || loop.noticed.has(limit)) return undefined;
  loop.noticed.add(limit);
  return `${left} requests are left in this attempt; each answer of yours and each tool call is one. Finish the work, then call "final".`;
}
