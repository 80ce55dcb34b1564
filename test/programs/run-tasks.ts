import type { AppContext } from '../../src/app/context/open-context.ts';
import { openContext } from '../../src/app/context/open-context.ts';
import { resumeRun } from '../../src/app/runs/start/resume-run.ts';
import { type InternalStartOptions, startRun } from '../../src/app/runs/start/start-run.ts';
import type { CapstanEvent } from '../../src/contract/event.ts';
import type { Stores } from '../../src/coordinator/store/create-stores.ts';
import type { RunRecord } from '../../src/coordinator/store/runs/run-record.ts';
import { type Approver, answerQuestions } from '../setup/broker-parts.ts';
import type { Person } from '../setup/temporary-person.ts';

export interface TaskRunner {
  readonly context: AppContext;
  readonly stores: Stores;
  readonly events: readonly CapstanEvent[];
  /** Runs one task to its end, and returns its row. */
  run(task: string, options?: Partial<InternalStartOptions>): Promise<RunRecord>;
  resume(id: string): Promise<RunRecord>;
  close(): Promise<void>;
}

export interface TaskRunnerOptions {
  /** Added to the person's environment. */
  readonly environment?: NodeJS.ProcessEnv;
  /** Overrides of settings for every run. Default: offline. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Default: nobody can answer. */
  readonly approver?: Approver | undefined;
  /** Default: yes. */
  readonly isIsolationWaived?: boolean;
}

/** Runs tasks of a temporary person in their project, inside this process. */
export async function openTaskRunner(
  person: Person,
  options: TaskRunnerOptions = {},
): Promise<TaskRunner> {
  const { settings = { provider: 'offline' }, approver, isIsolationWaived = true } = options;
  const context = await openContext({
    env: { ...person.environment, ...options.environment },
    cwd: person.project,
    presence: () => approver !== undefined,
  });
  const stores = await context.stores();
  const events: CapstanEvent[] = [];
  context.events.listen((event) => events.push(event));
  if (approver) answerQuestions({ ...stores, events: context.events }, approver);
  const rowOf = async (started: Promise<{ id: string; finished: Promise<unknown> }>) => {
    const { id, finished } = await started;
    await finished;
    const row = stores.runs.find(id);
    if (!row) throw new Error(`run ${id} has no row`);
    return row;
  };
  return {
    context,
    stores,
    events,
    run: (task, more) => rowOf(startRun(context, { task, settings, isIsolationWaived, ...more })),
    resume: (id) => rowOf(resumeRun(context, id, { isIsolationWaived })),
    close: context.close,
  };
}
