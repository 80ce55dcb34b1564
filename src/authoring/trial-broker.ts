import type { Broker } from '../broker/answer.ts';
import type { AttemptScope } from '../broker/intent/scope.ts';
import { AppError } from '../contract/errors.ts';
import type { ApiCallIntent, Intent, IntentReply, ToolCallIntent } from '../contract/protocol.ts';
import { type Found, placed, placeless, type Told, type ToldBefore } from './told-before.ts';

/** Asks a real model. What it costs is decided and written down where the person's other calls are. */
export type AskModel = (
  intent: ApiCallIntent,
  signal: AbortSignal,
) => Promise<{ readonly reply: IntentReply; readonly costMicroUsd: number }>;

/** One request of a trial, and where its answer came from. */
export interface Asked {
  readonly intent: Intent;
  /** `unknown`: nothing was recorded of it, and it was not carried out. */
  readonly from: 'workspace' | 'record' | 'reworded' | 'live' | 'unknown';
  readonly told: Told;
  readonly costMicroUsd: number;
  /** The record that answered. */
  readonly found: Found | undefined;
}

export interface TrialAnswers {
  /** What answers from the record. */
  readonly before: ToldBefore;
  /** Whether tools work in the trial's own folder; else nothing is carried out. */
  readonly hasWorkspace: boolean;
  /** Folders that stand for the workspace in what is asked. The first is the trial's own. */
  readonly roots: readonly [string, ...string[]];
  /** Left out: only recorded answers. */
  readonly askModel?: AskModel | undefined;
}

/** Whether a tool leaves the machine: it works only beside a live model. */
export const reachesOut = (tool: string): boolean => tool === 'web_fetch' || tool === 'http_api';

/**
 * A broker for trials: a model's answers come from the record or from a live model, tools work in the trial's workspace,
 * and what reaches beyond it comes from the record or is refused.
 *
 * @param inner Decides on and performs what is carried out.
 */
export function createTrialBroker(
  inner: Broker,
  answers: TrialAnswers,
): Broker & { readonly asked: readonly Asked[] } {
  const asked: Asked[] = [];
  let isAstray = false;

  async function answer(intent: Intent, scope: AttemptScope): Promise<Omit<Asked, 'intent'>> {
    const found = answers.before.take(intent, answers.roots, !answers.askModel);
    const isOwn = intent.type === 'tool_call_intent' && !reachesOut(intent.tool);
    if (isOwn) {
      isAstray ||= found === undefined;
      // What had an effect is carried out again: later calls may look at it.
      const isRepeated = isAstray || found?.answer.tier !== 0;
      if (answers.hasWorkspace && isRepeated) return perform(intent, scope, inner);
    }
    if (found) return fromRecord(intent, found, { scope, root: answers.roots[0] });
    return isOwn ? unknown(intent) : live(intent, scope, { inner, answers });
  }

  return {
    asked,
    async answer(intent, scope) {
      const one = await answer(intent, scope);
      const told = placeless(withoutId(one.told), answers.roots);
      asked.push({ intent, ...one, told });
      return { ...one.told, ...(intent.id === undefined ? {} : { id: intent.id }) } as IntentReply;
    },
  };
}

type Answered = Omit<Asked, 'intent'>;

const withoutId = ({ id: _id, ...told }: Told & { id?: unknown }): Told => told as Told;

async function perform(
  intent: ToolCallIntent,
  scope: AttemptScope,
  inner: Broker,
): Promise<Answered> {
  const told = await inner.answer(intent, scope);
  return { told, from: 'workspace', costMicroUsd: 0, found: undefined };
}

/** Counted like what is carried out, since how an attempt is judged depends on it. */
function fromRecord(
  intent: Intent,
  found: Found,
  { scope: { tally }, root }: { readonly scope: AttemptScope; readonly root: string },
): Answered {
  const { reply, costMicroUsd } = found.answer;
  tally.intents += 1;
  tally.costMicroUsd += costMicroUsd;
  if (intent.type === 'tool_call_intent') tally.toolCalls += 1;
  else tally.modelCalls += 1;
  const from = found.how === 'same' ? 'record' : 'reworded';
  return { told: placed(reply, root), from, costMicroUsd, found };
}

interface Live {
  readonly inner: Broker;
  readonly answers: TrialAnswers;
}

/** A live model is asked; a host of the task may be read beside it, and nothing is changed out there. */
async function live(
  intent: Intent,
  scope: AttemptScope,
  { inner, answers }: Live,
): Promise<Answered> {
  const { askModel } = answers;
  if (!askModel) return unknown(intent);
  if (intent.type === 'tool_call_intent') {
    const policy = { ...scope.run.policy, approveMode: 'deny' } as const;
    const told = await inner.answer(intent, { ...scope, run: { ...scope.run, policy } });
    return { told, from: 'live', costMicroUsd: 0, found: undefined };
  }
  if (intent.request.kind === 'http') return unknown(intent);
  scope.tally.intents += 1;
  scope.tally.modelCalls += 1;
  const { reply, costMicroUsd } = await askModel(intent, scope.signal);
  scope.tally.costMicroUsd += costMicroUsd;
  return { told: reply, from: 'live', costMicroUsd, found: undefined };
}

function unknown(intent: Intent): Answered {
  const what =
    intent.type === 'tool_call_intent'
      ? intent.tool
      : intent.request.kind === 'chat'
        ? 'this model call'
        : intent.request.service;
  const { code, message } = new AppError('NOT_RECORDED', { what });
  const error = { code, message };
  const told: Told =
    intent.type === 'tool_call_intent'
      ? { type: 'tool_call_result', ok: false, error }
      : { type: 'api_call_decision', approved: false, note: message, error };
  return { told, from: 'unknown', costMicroUsd: 0, found: undefined };
}
