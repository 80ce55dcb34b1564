import type { LoadedSettings, Settings } from '../../../config/settings.ts';
import type { CapstanEvent } from '../../../contract/event.ts';
import type { Reason } from '../../../contract/status.ts';
import { usage } from '../../../contract/usage.ts';
import { GET_A_MODEL } from '../../../contract/vendors.ts';
import { ModelHint } from '../../../contract/wire/chat.ts';
import type { ApiCallDecision } from '../../../contract/wire/coordinator-messages.ts';
import type { RunContext } from '../../../coordinator/context/run-context.ts';
import { endRun } from '../../../coordinator/life/end-run.ts';
import { askModel } from '../../../coordinator/own-call.ts';
import { chooseProvider } from '../../../llm/choose-provider.ts';
import type { ModelRequest } from '../../../llm/provider.ts';
import type { AppContext } from '../../context/open-context.ts';
import { startRun } from '../../runs/start/start-run.ts';
import { sameFor } from '../setup/setup-provider.ts';
import type { ModelOptions } from './list-models.ts';

export interface ModelCheck {
  readonly provider: string;
  /** Empty if the provider could not be opened. */
  readonly model: string;
  /** The hints that are mapped to it; empty for a fallback. */
  readonly hints: readonly ModelHint[];
  readonly ok: boolean;
  /** Null if it was not asked. */
  readonly latencyMs: number | null;
  readonly costUsd: number;
  /** Why it does not work: `provider`, `denied`, `budget`, … as a run has it. Null if it works. */
  readonly reason: string | null;
  readonly message: string | null;
}

export interface CheckModelsOptions extends ModelOptions {
  /** Called with every event, for a surface that answers the question about spending. */
  readonly onEvent?: ((event: CapstanEvent) => void) | undefined;
}

/** Implements `models.check`. */
export async function checkModels(
  context: AppContext,
  { settings: overrides = {}, onEvent }: CheckModelsOptions = {},
): Promise<readonly ModelCheck[]> {
  const loaded = await context.settings(overrides);
  const { name } = await chooseProvider(loaded.settings);
  if (name === 'offline') throw usage(NO_MODEL, 'provider');
  const { settings } = loaded;
  const checks = await checkProvider(context, { loaded, settings, onEvent });
  for (const { provider, model } of settings.modelFallback) {
    const baseUrl = provider === name ? settings.baseUrl : undefined;
    const own = { ...settings, provider, models: sameFor(model), baseUrl };
    const found = await checkProvider(context, { loaded, settings: own, onEvent });
    checks.push(...found.map((one) => ({ ...one, hints: [] })));
  }
  return checks;
}

const NO_MODEL = `There is no model to check. ${GET_A_MODEL}.`;

export interface Checking {
  readonly loaded: LoadedSettings;
  readonly settings: Settings;
  readonly onEvent?: CheckModelsOptions['onEvent'];
}

/** Asks each model of these settings, in a separate run. */
export async function checkProvider(context: AppContext, { loaded, settings, onEvent }: Checking) {
  const checks: ModelCheck[] = [];
  const run = await startRun(context, {
    task: 'Check the models',
    loaded: { ...loaded, settings: { ...settings, modelFallback: [], modelRetryMs: 0 } },
    onEvent,
    body: async (run) => {
      for (const group of modelsOf(run)) checks.push(await checkModel(run, group));
      const failed = checks.find(({ ok }) => !ok);
      endRun(run.parts, run.record.id, {
        status: failed ? 'failed' : 'completed',
        reason: failed ? (failed.reason as Reason) : null,
        answer: null,
        error: null,
      });
    },
  });
  const { error, reason } = await run.finished;
  if (checks.length > 0) return checks;
  const nothing = { model: '', hints: ModelHint.options, ok: false, latencyMs: null, costUsd: 0 };
  const message = error?.message ?? 'It could not be opened.';
  return [{ provider: run.provider.name, ...nothing, reason: reason ?? 'provider', message }];
}

type Group = Pick<ModelCheck, 'model' | 'hints'>;

/** Each model once. */
function modelsOf({ parts }: RunContext): readonly Group[] {
  const models = new Set(ModelHint.options.map(parts.provider.modelFor));
  return [...models].map((model) => ({
    model,
    hints: ModelHint.options.filter((hint) => parts.provider.modelFor(hint) === model),
  }));
}

async function checkModel(run: RunContext, group: Group): Promise<ModelCheck> {
  const { parts, scope } = run;
  const [hint = 'balanced'] = group.hints;
  const { parkForProvider: _, ...coordinator } = scope.coordinator;
  const before = coordinator.tally.costMicroUsd;
  const startedMs = performance.now();
  const given = await askModel(parts.broker, coordinator, 'check', checkRequest(hint));
  const reply = wasUnanswered(run, given) ? denied : given;
  const message = reply.error?.message.replace(`${parts.provider.name}: `, '') ?? null;
  const ok = message === null || isCutOff(message);
  return {
    ...group,
    provider: parts.provider.name,
    ok,
    latencyMs: reply.approved ? Math.round(performance.now() - startedMs) : null,
    costUsd: (coordinator.tally.costMicroUsd - before) / 1e6,
    reason: ok ? null : reasonOf(reply),
    message: ok ? null : message,
  };
}

/** The request of a check. */
export const checkRequest = (hint: ModelHint): ModelRequest => ({
  hint,
  messages: [{ role: 'user', content: 'Answer with one word: ok' }],
  max_output_tokens: 1,
});

/** Models that think can use up one token before they answer: some vendors report that as an error. */
const isCutOff = (message: string): boolean => /model output limit was reached/i.test(message);

const reasonOf = ({ approved, error }: ApiCallDecision): string =>
  approved || error === undefined ? 'provider' : error.code;

/** The question about spending was abandoned because nobody can answer it. */
const wasUnanswered = ({ scope }: RunContext, { error }: ApiCallDecision): boolean =>
  error?.code === 'CANCELLED' && scope.parking.signal.reason === 'approval';

const denied: ApiCallDecision = {
  type: 'api_call_decision',
  approved: false,
  note: '',
  error: {
    code: 'denied',
    message:
      'It costs money, and nobody can approve that now. Set CAPSTAN_BUDGET_RUN_USD to consent.',
  },
};
