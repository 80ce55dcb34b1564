import {
  caseFolders,
  caseUnknown,
  ownCaseFolder,
  readCases,
} from '../../authoring/cases/case-files.ts';
import { type KeptRecord, keepRecord } from '../../authoring/cases/case-record.ts';
import { type TriedCase, tryCase } from '../../authoring/trials/authored-task.ts';
import type { TrialOutcome } from '../../authoring/trials/trial.ts';
import type { Capsule } from '../../registry/capsule-store.ts';
import type { TaskKind } from '../../registry/manifest/manifest.ts';
import type { AppContext } from '../context/open-context.ts';
import { storesIfAny } from './capsule-records.ts';
import { findAuthored, type LoadedCapsules, loadCapsules } from './load-capsules.ts';
import { upgradeShims } from './share/upgrade-shims.ts';
import { openTrialSession, type TrialOptions } from './trials/open-trial-session.ts';

export interface TestOptions extends TrialOptions {
  /** Only the case of this name. Default: all. */
  readonly case?: string | undefined;
  /** Asks a real model and records its answers. Default: false. */
  readonly record?: boolean | undefined;
  /** Whether a case fails if its recorded answers are stale: given under another prompt. Default: false. */
  readonly strict?: boolean | undefined;
  /** Receives the outcome of each case as soon as it is known. */
  readonly onCase?: ((tested: TestedCase) => void) | undefined;
}

/** The outcome of one case. */
export interface TestedCase {
  /** The name of its file without `.yaml`. */
  readonly name: string;
  readonly path: string;
  readonly kind: TaskKind;
  readonly result: TrialOutcome;
  /** Unmet expectations, and with `strict` stale answers; empty if the case passed. */
  readonly problems: readonly string[];
  /** Whether recorded answers were there before the test. */
  readonly isRecorded: boolean;
  /** Undefined if recording was not requested. */
  readonly kept: KeptRecord | undefined;
}

export interface TestedCapsule {
  readonly id: string;
  readonly isOk: boolean;
  /** Whether the capsule was quarantined by rule and is ready again, since all of its cases passed. */
  readonly isRestored: boolean;
  readonly cases: readonly TestedCase[];
}

/** Implements `capsules.test`. */
export async function testCapsule(context: AppContext, named: string, options: TestOptions = {}) {
  await upgradeShims(context);
  const loaded = await loadCapsules(context, options, named);
  const capsule = findAuthored(loaded, named);
  const only = options.case;
  const found = await readCases(caseFolders(loaded.personal, capsule), only);
  if (found.length === 0) throw caseUnknown(loaded.personal, capsule, only);
  const live = options.live === true || options.record === true;
  const subject = { capsule, command: 'test' } as const;
  await using session = await openTrialSession(loaded, subject, { ...options, live });
  const { runner, skills } = session;
  const cases: TestedCase[] = [];
  for (const one of found) {
    const tried = await tryCase(runner, { capsule, skills }, one);
    const { result, problems } = tried;
    const source = { capsule, caseName: one.name, result, problems };
    const folder = ownCaseFolder(loaded.personal, capsule);
    const kept = options.record ? keepRecord(folder, source, context.now()) : undefined;
    const tested = testedCase(tried, kept, options.strict);
    cases.push(tested);
    options.onCase?.(tested);
  }
  const isOk = cases.every(({ problems }) => problems.length === 0);
  const isRestored = isOk && only === undefined && (await restore(loaded, capsule, cases));
  return { id: capsule.id, isOk, isRestored, cases };
}

const testedCase = (
  { found, kind, result, problems }: TriedCase,
  kept: KeptRecord | undefined,
  isStrict = false,
): TestedCase => ({
  name: found.name,
  path: found.path,
  isRecorded: found.record !== undefined,
  ...{ kind, result, kept },
  problems: isStrict ? [...problems, ...staleness(result)] : problems,
});

function staleness({ reworded }: TrialOutcome): readonly string[] {
  return reworded === 0
    ? []
    : [`stale: ${reworded} of its answers were given under another prompt`];
}

/** Lifts a quarantine by rule. Answers that were recorded under another prompt prove nothing. */
async function restore(
  { context, capsules, actor }: LoadedCapsules,
  capsule: Capsule,
  cases: readonly TestedCase[],
): Promise<boolean> {
  const isInUse = capsules.some(({ dir }) => dir === capsule.dir);
  const isProven = cases.every(({ result }) => result.reworded === 0);
  const stores = isInUse && isProven ? await storesIfAny(context) : undefined;
  if (!stores) return false;
  return stores.journal.commit(() => stores.quarantine.restoreHealed(capsule, actor));
}
