import type { Broker } from '../../broker/answer.ts';
import type { AttemptScope } from '../../broker/intent/scope.ts';
import { AppError } from '../../contract/errors.ts';
import type { IntentReply } from '../../contract/wire/coordinator-messages.ts';
import { errorReply } from '../../contract/wire/error-reply.ts';
import { FINAL } from '../../contract/wire/final.ts';
import type { ApiCallIntent, Intent } from '../../contract/wire/protocol.ts';
import { ASK_PERSON } from '../../tools/ask-person.ts';
import { toolbox } from '../../tools/toolbox.ts';
import {
  type Found,
  type RecordedAnswers,
  type RecordedReply,
  withoutRoots,
  withRoot,
} from './recorded-answers.ts';

/** Asks a real model. Its cost is decided and recorded like that of the user's other calls. */
export type AskModel = (
  intent: ApiCallIntent,
  signal: AbortSignal,
) => Promise<{ readonly reply: IntentReply; readonly costMicroUsd: number }>;

/** One request of a trial, and where its answer came from. */
export interface Asked extends Answered {
  readonly intent: Intent;
}

interface Answered {
  /** `unknown`: no answer is recorded, and it was not performed. */
  readonly from: 'workspace' | 'record' | 'reworded' | 'live' | 'unknown';
  readonly reply: RecordedReply;
  readonly costMicroUsd: number;
  /** The record that answered. */
  readonly found?: Found;
}

interface TrialAnswers {
  readonly recorded: RecordedAnswers;
  /** Whether tools work in the trial's own folder. Otherwise nothing is performed. */
  readonly hasWorkspace: boolean;
  /** Folders that count as the workspace in requests. The first is the trial's own. */
  readonly roots: readonly [string, ...string[]];
  /** Default: only recorded answers. */
  readonly askModel?: AskModel | undefined;
}

/** Whether a tool may use the network. Such a tool works only with a live model. */
export function usesNetwork(tool: string): boolean {
  const effects = tool === FINAL ? 'local' : toolbox.get(tool)?.effects;
  return effects !== 'local' && effects !== 'process';
}

/**
 * A broker for trials. Tools work in the trial's workspace, through `inner`, and never answer from the record, since its
 * files may have changed. Answers of models, of the web and of people come from the record or from a live model, or are refused.
 */
export function createTrialBroker(
  inner: Broker,
  { recorded, hasWorkspace, roots, askModel }: TrialAnswers,
): Broker & { readonly asked: readonly Asked[] } {
  const asked: Asked[] = [];

  async function answer(intent: Intent, scope: AttemptScope): Promise<Answered> {
    const isLocal = intent.type === 'tool_call_intent' && !usesNetwork(intent.tool);
    const isPerformed = isLocal && hasWorkspace && intent.tool !== ASK_PERSON;
    const found = isPerformed ? undefined : recorded.take(intent, roots, !askModel);
    if (found) return fromRecord(intent, found, scope, roots[0]);
    if (!isLocal) return live(intent, scope, inner, askModel);
    if (!hasWorkspace) return unknown(intent);
    return { reply: await inner.answer(intent, scope), from: 'workspace', costMicroUsd: 0 };
  }

  return {
    asked,
    async answer(intent, scope) {
      const one = await answer(intent, scope);
      const { id: _id, ...reply } = one.reply as RecordedReply & { id?: unknown };
      asked.push({ intent, ...one, reply: withoutRoots(reply as RecordedReply, roots) });
      return { ...one.reply, ...(intent.id === undefined ? {} : { id: intent.id }) } as IntentReply;
    },
  };
}

/** Counted like a performed intent: the outcome of an attempt depends on the counts. */
function fromRecord(intent: Intent, found: Found, { tally }: AttemptScope, root: string): Answered {
  const { reply, costMicroUsd } = found.answer;
  tally.intents += 1;
  tally.costMicroUsd += costMicroUsd;
  if (intent.type === 'tool_call_intent') tally.toolCalls += 1;
  else tally.modelCalls += 1;
  const from = found.how === 'same' ? 'record' : 'reworded';
  return { reply: withRoot(reply, root), from, costMicroUsd, found };
}

/** Asks the live model. Beside it, hosts that the task names may be read; nothing remote is changed. */
async function live(
  intent: Intent,
  scope: AttemptScope,
  inner: Broker,
  askModel: AskModel | undefined,
): Promise<Answered> {
  if (!askModel) return unknown(intent);
  if (intent.type === 'tool_call_intent') {
    const policy = { ...scope.run.policy, approveMode: 'deny' } as const;
    const reply = await inner.answer(intent, { ...scope, run: { ...scope.run, policy } });
    return { reply, from: 'live', costMicroUsd: 0 };
  }
  if (intent.request.kind === 'http') return unknown(intent);
  scope.tally.intents += 1;
  scope.tally.modelCalls += 1;
  const { reply, costMicroUsd } = await askModel(intent, scope.signal);
  scope.tally.costMicroUsd += costMicroUsd;
  return { reply, from: 'live', costMicroUsd };
}

function unknown(intent: Intent): Answered {
  const what = intent.type === 'tool_call_intent' ? intent.tool : calledIn(intent);
  const reply = errorReply(intent, new AppError('NOT_RECORDED', { what }));
  return { reply, from: 'unknown', costMicroUsd: 0 };
}

const calledIn = ({ request }: ApiCallIntent): string =>
  request.kind === 'chat' ? 'this model call' : request.service;
