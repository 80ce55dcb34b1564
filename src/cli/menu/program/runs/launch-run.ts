import type { RunDocument } from '../../../../app/runs/show/run-document.ts';
import type { RunOptions, StartedRun } from '../../../../app/runs/start/started-run.ts';
import { failedWith } from '../../../../contract/errors.ts';
import { type CapstanEvent, isDelta, type TextDelta } from '../../../../contract/event.ts';
import { buffered } from '../../../io/buffered.ts';
import { shownNotices } from '../../../run/notices-of.ts';
import { openRunPart, type ShownRun } from '../../run/open-run-part.ts';
import type { MenuContext } from '../create-context.ts';
import { type LiveRun, noteWork } from './live-run.ts';

type Listeners = Required<Pick<RunOptions, 'onEvent' | 'onDelta'>>;

export interface LaunchParts {
  readonly context: MenuContext;
  /** Notices that were shown: each is shown once. */
  readonly told: Set<string>;
  /** Receives every event of every run, before the run's part does. */
  readonly onEvent: (event: CapstanEvent) => void;
  /** Called when the run has ended or parked. Undefined: it failed, and the error was printed. */
  readonly onEnd: (run: LiveRun, document: RunDocument | undefined) => Promise<void>;
}

/** The provider of runs without a model. */
const OFFLINE = 'offline';

/** Begins a run of this process and shows it. @throws The errors of `begin`. */
export async function launchRun(
  task: string,
  begin: (listeners: Listeners) => Promise<StartedRun>,
  parts: LaunchParts,
): Promise<LiveRun> {
  const stream = buffered<CapstanEvent | TextDelta>();
  const started = await begin({ onEvent: stream.take, onDelta: stream.take });
  const notices = shownNotices(started.notices).filter((notice) => !parts.told.has(notice));
  for (const notice of notices) parts.told.add(notice);
  const shown = { ...started, notices, task };
  const run = liveRun(shown, parts.context, {
    isOwn: true,
    hasModel: started.provider.name !== OFFLINE,
    interrupt: started.interrupt,
  });
  stream.open((one) => take(run, one, parts));
  run.over = started.finished.then(
    (document) => end(run, document, parts),
    (error: unknown) => fail(run, error, parts),
  );
  return run;
}

/**
 * The newest run of a session if it is parked and has a model, which reads what is typed next. Its calls are asked about
 * again: words deny only those that this program showed.
 */
export async function parkedRun(
  sessionId: string,
  { context }: LaunchParts,
): Promise<LiveRun | undefined> {
  const { runs, sessions } = context.capstan;
  const newest = (await sessions.get(sessionId)).runs.at(-1);
  if (newest?.status !== 'parked') return undefined;
  const { run: summary } = await runs.get(newest.id);
  const hasModel = summary.provider !== OFFLINE;
  const shown = { id: newest.id, sessionId: summary.sessionId, task: newest.task };
  const run = liveRun(shown, context, { isOwn: true, hasModel, interrupt: () => undefined });
  run.status = 'parked';
  return hasModel ? run : undefined;
}

/** Shows a run that another process executes, from its first event on. */
export async function followRun(id: string, parts: LaunchParts): Promise<LiveRun> {
  const { run: summary } = await parts.context.capstan.runs.get(id);
  const left = new AbortController();
  const shown = { id: summary.id, sessionId: summary.sessionId, task: summary.task };
  const how = {
    isOwn: false,
    hasModel: summary.provider !== OFFLINE,
    interrupt: () => left.abort(),
  };
  const run = liveRun(shown, parts.context, how);
  run.over = followToEnd(run, left.signal, parts);
  return run;
}

async function followToEnd(run: LiveRun, signal: AbortSignal, parts: LaunchParts): Promise<void> {
  const { runs } = parts.context.capstan;
  try {
    for await (const one of runs.follow(run.id, { deltas: true, signal }))
      take(run, 'event' in one ? one.event : one, parts);
    if (!signal.aborted) await end(run, (await runs.get(run.id)).document, parts);
  } catch (error) {
    await fail(run, error, parts);
  }
}

const liveRun = (
  shown: ShownRun & Pick<LiveRun, 'sessionId' | 'task'>,
  context: MenuContext,
  how: Pick<LiveRun, 'isOwn' | 'hasModel' | 'interrupt'>,
): LiveRun => ({
  id: shown.id,
  sessionId: shown.sessionId,
  task: shown.task,
  part: openRunPart(shown, context.ofRun(shown)),
  startedMs: performance.now(),
  status: 'running',
  stoppedMs: undefined,
  working: new Set(),
  asked: new Map(),
  over: Promise.resolve(),
  ...how,
});

function take(run: LiveRun, one: CapstanEvent | TextDelta, { onEvent }: LaunchParts): void {
  if (isDelta(one)) return void run.part.onDelta(one);
  noteWork(run, one);
  onEvent(one);
  run.part.onEvent(one);
}

async function end(run: LiveRun, document: RunDocument, { onEnd }: LaunchParts): Promise<void> {
  run.status = document.status as LiveRun['status'];
  run.working.clear();
  await onEnd(run, document);
}

/** Follows the run if another process has taken it over; otherwise prints the error. */
async function fail(run: LiveRun, error: unknown, parts: LaunchParts): Promise<void> {
  if (failedWith(error, 'RUN_TAKEN_OVER') && run.isOwn) {
    return followToEnd({ ...run, isOwn: false }, new AbortController().signal, parts);
  }
  run.status = 'failed';
  run.working.clear();
  parts.context.fail(error);
  await parts.onEnd(run, undefined);
}
