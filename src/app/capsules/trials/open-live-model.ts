import type { AskModel } from '../../../authoring/trials/trial-broker.ts';
import { newTally } from '../../../broker/intent/scope.ts';
import { usage } from '../../../contract/usage.ts';
import { GET_A_MODEL } from '../../../contract/vendors.ts';
import type { RunContext } from '../../../coordinator/context/run-context.ts';
import { endRun } from '../../../coordinator/life/end-run.ts';
import { type ModelRun, startModelRun } from '../create/profile-by-model.ts';
import type { LoadedCapsules } from '../load-capsules.ts';

/**
 * Opens a real model for trials. All calls belong to one run in the user's own database: their cost is asked about,
 * budgeted and recorded there.
 *
 * @throws AppError `USAGE` with field `live` if there is no model.
 */
export async function openLiveModel(
  loaded: LoadedCapsules,
  { task, signal, onEvent }: Omit<ModelRun, 'body'> & { readonly signal: AbortSignal },
) {
  const open = openRun(signal);
  const started = await startModelRun(loaded, { task, body: open.follow, onEvent });
  if (!started) throw usage(NO_MODEL, 'live');
  const { provider, finished } = started;
  const close = async () => {
    open.release();
    await finished.catch(() => {});
  };
  try {
    const run = await Promise.race([open.run, finished.then(failStart)]);
    return { provider: provider.name, why: provider.why, ask: askThrough(run), close };
  } catch (error) {
    await close();
    throw error;
  }
}

const NO_MODEL = `A live model is needed, and no provider is configured. ${GET_A_MODEL}.`;

function failStart({ error }: { error?: { message: string } }): never {
  throw usage(error?.message ?? 'The run of the live model ended.');
}

/** A run that stays open for calls until it is released. */
function openRun(signal: AbortSignal) {
  let release = () => {};
  let begin: (run: RunContext) => void = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const run = new Promise<RunContext>((resolve) => {
    begin = resolve;
  });
  signal.addEventListener('abort', () => release());
  return {
    run,
    release,
    async follow(context: RunContext) {
      begin(context);
      await released;
      const status = signal.aborted ? 'cancelled' : 'completed';
      const reason = signal.aborted ? 'cancelled' : null;
      endRun(context.parts, context.record.id, { status, reason, answer: null, error: null });
    },
  };
}

const askThrough =
  ({ parts, scope }: RunContext): AskModel =>
  async (intent, signal) => {
    const tally = newTally();
    const { coordinator } = scope;
    const both = AbortSignal.any([coordinator.signal, signal]);
    const { id: _id, ...unnamed } = intent;
    const reply = await parts.broker.answer(unnamed, { ...coordinator, signal: both, tally });
    const { costMicroUsd } = tally;
    if (scope.parking.signal.reason !== 'approval') return { reply, costMicroUsd };
    const error = { code: 'denied', message: NO_CONSENT };
    const type = 'api_call_decision';
    return { reply: { type, approved: false, note: NO_CONSENT, error }, costMicroUsd };
  };

const NO_CONSENT =
  'A paid model is asked only with consent, and nobody can give it now. Set a budget for the run to consent.';
