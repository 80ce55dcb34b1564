import { newTally, type RunScope } from '../../broker/intent/scope.ts';
import { createRecordPool } from '../../broker/recall/record-pool.ts';
import type { Policy } from '../../broker/rules/policy-snapshot.ts';
import type { IntentRecord } from '../../contract/intent.ts';
import type { RunStop } from '../stop/run-stop.ts';
import type { RunRecord } from '../store/runs/run-record.ts';

export interface ScopeOptions {
  /** The policy that the run started with. */
  readonly policy: Policy;
  /** The current rules files. Default: those that the run started with. */
  readonly currentRules?: RunScope['currentRules'];
  /** Intents of the run so far, if it is resumed. */
  readonly earlier: readonly IntentRecord[];
  /** The run had failed: the coordinator's model calls are repeated, not recalled. */
  readonly isRetry: boolean;
  readonly stop: RunStop;
  /** Whether someone can answer a question of the run now. Called each time. */
  canAnswer(): boolean;
}

/** How often a waiting run checks whether somebody can still answer, in milliseconds. */
const PRESENCE_CHECK_MS = 1_000;

/** The scope that the broker needs for a run, with that of the coordinator's own calls. */
export function createRunScope(record: RunRecord, options: ScopeOptions): RunScope {
  const { policy, currentRules, earlier, isRetry, stop, canAnswer } = options;
  const { signal, parking } = stop;
  const own = earlier.filter(
    ({ attemptId, kind }) => attemptId === null && !(isRetry && kind === 'chat'),
  );
  const ending = AbortSignal.any([signal, parking.signal]);
  const parkIfNobody = () => {
    if (!canAnswer()) parking.abort('approval');
  };
  const scope: RunScope = {
    id: record.id,
    workspace: record.workspace,
    task: record.task,
    policy,
    currentRules,
    seed: record.seed,
    signal,
    parking,
    isProviderOut: false,
    namedHosts: new Set(record.request.namedHosts),
    hasReadPrivate:
      record.request.conversation !== undefined ||
      record.request.attachments !== undefined ||
      earlier.some(({ kind, startedAt }) => kind !== 'chat' && startedAt !== null),
    spendConsents: new Map(),
    notices: new Set(),
    coordinator: {
      get run() {
        return scope;
      },
      attemptId: null,
      subtaskId: '',
      capsuleId: 'coordinator',
      capsuleHash: '',
      grants: new Map(),
      services: [],
      signal: ending,
      ending,
      ...(own.length > 0 ? { record: createRecordPool(own) } : {}),
      async pause(wait) {
        parkIfNobody();
        const check = setInterval(parkIfNobody, PRESENCE_CHECK_MS);
        try {
          return await wait();
        } finally {
          clearInterval(check);
        }
      },
      end: () => {},
      parkForProvider: () => parking.abort('provider'),
      tally: newTally(),
    },
  };
  return scope;
}
