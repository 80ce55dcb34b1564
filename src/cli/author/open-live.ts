import { isatty } from 'node:tty';
import type { AppContext } from '../../app/app-context.ts';
import type { AskModel } from '../../authoring/trial-broker.ts';
import { newTally } from '../../broker/intent/scope.ts';
import { AppError } from '../../contract/errors.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import { endRun } from '../../coordinator/end-run.ts';
import type { RunContext } from '../../coordinator/run-context.ts';
import { answerQuestions } from '../answer-questions.ts';
import type { CommandIo } from '../command.ts';
import { createStyle } from '../style.ts';
import { createTerminalApprover } from '../terminal-approver.ts';

export interface Live {
  readonly ask: AskModel;
  close(): Promise<void>;
}

/**
 * Opens a real model for trials. All that is asked of it is one run in the user's own database: money is asked about,
 * budgeted and shown like that of any other run.
 *
 * @throws AppError `USAGE` if there is no model.
 */
export async function openLive(
  options: Readonly<Record<string, unknown>>,
  io: CommandIo,
  { task, signal }: { readonly task: string; readonly signal: AbortSignal },
): Promise<Live> {
  const { openContext } = await import('../../app/open-context.ts');
  const { approvalsApi } = await import('../../app/approvals/approvals-api.ts');
  const { startRun } = await import('../../app/runs/start-run.ts');
  const style = createStyle(io.environment, isatty(2));
  const { environment: env, cwd } = io;
  const context = await openContext({ env, cwd, presence: () => io.isTerminal });
  const approvals = approvalsApi(context);
  const approver = createTerminalApprover({ io, style, rowOf: (id) => approvals.get(id) });
  const held = holdRun(signal);
  try {
    const { name, why } = await providerFor(context, options);
    if (name === 'offline') throw new AppError('USAGE', { problem: NO_MODEL });
    const { finished } = await startRun(context, {
      task,
      settings: options,
      body: held.follow,
      onEvent: io.isTerminal ? answerQuestions({ approvals }, approver, io.stderr) : undefined,
    });
    const run = await Promise.race([held.run, finished.then(notBegun)]);
    io.stderr(`${style.dim(escapeText(`live: ${name}, ${why}`))}\n`);
    const close = async () => {
      held.release();
      await finished.catch(() => {});
      await context.close();
    };
    return { ask: askThrough(run), close };
  } catch (error) {
    held.release();
    await context.close();
    throw error;
  }
}

async function providerFor(context: AppContext, options: Readonly<Record<string, unknown>>) {
  const { chooseProvider } = await import('../../llm/choose-provider.ts');
  const { provider, keys, baseUrls } = (await context.settings(options)).settings;
  return chooseProvider({ setting: provider, keys, ollamaBaseUrl: baseUrls.ollama });
}

const NO_MODEL =
  '--live and --record need a language model. Set OPENAI_API_KEY, ANTHROPIC_API_KEY or GEMINI_API_KEY, or start Ollama, and choose it with --provider.';

function notBegun({ error }: { error?: { message: string } }): never {
  throw new AppError('USAGE', { problem: error?.message ?? 'The run of --live did not begin.' });
}

/** A run whose work is whatever is asked of it until it is released. */
function holdRun(signal: AbortSignal) {
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
    if (!scope.parking.signal.aborted) return { reply, costMicroUsd };
    const error = { code: 'denied', message: NOBODY };
    const refused = { type: 'api_call_decision', approved: false, note: NOBODY, error } as const;
    return { reply: refused, costMicroUsd };
  };

const NOBODY =
  'A model that costs money is asked only with your consent, and nobody is here to give it. Say --budget-usd AMOUNT.';
