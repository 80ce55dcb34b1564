import { caseFolders, type FoundCase, readCases } from '../../../authoring/cases/case-files.ts';
import { tryCase } from '../../../authoring/trials/authored-task.ts';
import { failedWith, messageOf } from '../../../contract/errors.ts';
import type { Capsule } from '../../../registry/capsule-store.ts';
import type { AppContext } from '../../context/open-context.ts';
import { findCapsule } from '../find-capsule.ts';
import { type CapsuleOptions, loadCapsules } from '../load-capsules.ts';
import { upgradeShims } from '../share/upgrade-shims.ts';
import { type TrialSession, withTrialSession } from '../trials/open-trial-session.ts';
import { withDraft } from './lint-draft.ts';

export interface TryOverlayOptions extends CapsuleOptions {
  /** Cancels; capsules get time to end. */
  readonly signal?: AbortSignal | undefined;
}

/** One case under two overlays. */
export interface ComparedCase {
  readonly name: string;
  readonly saved: CaseOutcome;
  readonly draft: CaseOutcome;
}

/**
 * `problem`: the first unmet expectation; null if it passes. `tokens`: of the system prompt, once for each model call,
 * estimated. `reworded`: the number of model answers that were recorded under another prompt.
 */
export type CaseOutcome = Awaited<ReturnType<typeof outcomeOf>>;

/** Implements `capsules.tryOverlay`. */
export async function tryOverlay(
  context: AppContext,
  id: string,
  text: string,
  options: TryOverlayOptions = {},
) {
  await upgradeShims(context);
  const loaded = await loadCapsules(context, options);
  const capsule = findCapsule(loaded, id);
  const draft = withDraft(loaded, capsule, text);
  const found = await readCases(caseFolders(loaded.personal, capsule));
  if (found.length === 0) return [];
  const subject = { capsule, command: 'test' } as const;
  return withTrialSession(loaded, subject, options, async (session) => {
    const compared: ComparedCase[] = [];
    for (const one of found) {
      const [saved, drafted] = await Promise.all([
        outcomeOf(session, capsule, one),
        outcomeOf(session, draft, one),
      ]);
      compared.push({ name: one.name, saved, draft: drafted });
    }
    return compared;
  });
}

async function outcomeOf({ runner, skills }: TrialSession, capsule: Capsule, found: FoundCase) {
  try {
    const { result, problems } = await tryCase(runner, { capsule, skills }, found);
    const { modelCalls, systemPrompt, costMicroUsd, reworded } = result;
    const tokens = modelCalls * Math.ceil(Buffer.byteLength(systemPrompt) / 4);
    const [problem = null] = problems;
    return { passes: problem === null, problem, tokens, costMicroUsd, reworded };
  } catch (error) {
    if (!failedWith(error, 'TEMPLATE_INVALID')) throw error;
    return { passes: false, problem: messageOf(error), tokens: 0, costMicroUsd: 0, reworded: 0 };
  }
}
