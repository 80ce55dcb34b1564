import { failedWith } from '../../../contract/errors.ts';
import type { CapstanEvent } from '../../../contract/event.ts';
import { boundUsage } from '../../../llm/answer/usage.ts';
import { openPriceList } from '../../../llm/prices/prices.ts';
import { answerApproval } from '../../approvals/answer-approval.ts';
import type { AppContext } from '../../context/open-context.ts';
import { checkProvider, checkRequest } from '../models/check-models.ts';
import { defaultsOf, openAt, type SetupProblem, withoutAdvice } from './list-served.ts';
import { keyNameOf, type SetupAccess, sameFor, settingsWith } from './setup-provider.ts';

export interface CheckAccess extends SetupAccess {
  /** Default: the vendor's model for most steps. */
  readonly model?: string | undefined;
}

/** The most that one check of a model costs. */
export interface CheckCost {
  /** US dollars; 0 if it is free. */
  readonly usd: number;
  /** False: the price is unknown, and the most expensive price of the provider is assumed. */
  readonly isPriceKnown: boolean;
}

/** The answer of one model to one short request. */
export interface SetupCheck {
  readonly model: string;
  readonly latencyMs: number | null;
  /** US dollars. */
  readonly costUsd: number;
  /** Null if it works. */
  readonly problem: SetupProblem | null;
}

/** @throws AppError `SETTINGS_INVALID` for a bad base URL. */
export async function costOfCheck(context: AppContext, access: CheckAccess): Promise<CheckCost> {
  const model = modelOf(access);
  const key = keyNameOf(access.provider) && NO_KEY;
  const { origin, name, close } = await openAt(context, { ...access, key }, sameFor(model));
  close();
  const prices = await openPriceList(context.places.configDir);
  const quote = await prices.quote({ provider: name, model, origin });
  return {
    usd: quote.costMicroUsd(boundUsage(checkRequest('balanced'))) / 1e6,
    isPriceKnown: quote.basis !== 'highest',
  };
}

/** Opens a provider whose price is asked; nothing is sent. */
const NO_KEY = 'none';

/** Implements `setup.check`. */
export async function checkModel(context: AppContext, access: CheckAccess): Promise<SetupCheck> {
  if (access.key !== undefined) context.redactor.add([access.key]);
  const loaded = await context.settings({});
  const model = modelOf(access);
  const { usd } = await costOfCheck(context, access);
  const { budget, ...settings } = settingsWith(loaded.settings, access, sameFor(model));
  const runMicroUsd = Math.round(usd * 1e6);
  const own = {
    ...settings,
    budget: { ...budget, runMicroUsd, runMicroUsdSetByPerson: true },
    approvalDeadlineMs: CHECK_TIMEOUT_MS,
    modelTimeoutMs: Math.min(settings.modelTimeoutMs, CHECK_TIMEOUT_MS),
  };
  const [check] = await checkProvider(context, {
    loaded,
    settings: own,
    onEvent: (event) => void consent(context, event),
  });
  const { latencyMs = null, costUsd = 0 } = check ?? {};
  if (check === undefined || check.ok) return { model, latencyMs, costUsd, problem: null };
  const message = withoutAdvice(check.message ?? 'It did not answer.');
  return { model, latencyMs, costUsd, problem: { kind: kindOf(check.reason, message), message } };
}

/** For the model's answer, and for a person's answer if a rule of the user asks about model calls. */
const CHECK_TIMEOUT_MS = 30_000;

/** Answers the question about an unknown price: the person agreed to the assumed one. */
async function consent(context: AppContext, event: CapstanEvent): Promise<void> {
  if (event.type !== 'approval.asked' || event.kind !== 'spend') return;
  try {
    await answerApproval(context, event.approval_id, { answer: 'approve', by: 'setup' });
  } catch (error) {
    if (!failedWith(error, 'APPROVAL_CLOSED')) throw error;
  }
}

const modelOf = ({ model, provider }: CheckAccess): string =>
  model ?? defaultsOf({ provider })?.balanced ?? UNKNOWN;

/** A placeholder for a server's model before it is known. */
const UNKNOWN = 'unknown';

function kindOf(reason: string | null, message: string): SetupProblem['kind'] {
  if (reason !== 'provider') return 'other';
  if (/(rejected the|requires an) API key/.test(message)) return 'key';
  return /answered \(4\d\d\)/.test(message) ? 'other' : 'unreachable';
}
