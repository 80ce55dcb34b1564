import { isatty } from 'node:tty';
import type { AskModel } from '../../authoring/trial-broker.ts';
import { newTally } from '../../broker/intent/scope.ts';
import type { LoadedSettings } from '../../config/settings.ts';
import { AppError } from '../../contract/errors.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import { endRun } from '../../coordinator/end-run.ts';
import type { RunContext } from '../../coordinator/run-context.ts';
import type { CommandIo } from '../command.ts';
import { createStyle } from '../style.ts';
import { createTerminalApprover } from '../terminal-approver.ts';

export interface Live {
  readonly ask: AskModel;
  close(): Promise<void>;
}

/**
 * Opens a real model for trials. All that is asked of it is one run in the person's own database: money is asked about,
 * budgeted and told there like anywhere else.
 *
 * @throws AppError `USAGE` where there is no model.
 */
export async function openLive(
  { settings, project }: LoadedSettings,
  io: CommandIo,
  { task, signal }: { readonly task: string; readonly signal: AbortSignal },
): Promise<Live> {
  const { openApp } = await import('../../app/open-app.ts');
  const style = createStyle(io.environment, isatty(2));
  const approver = io.isTerminal
    ? createTerminalApprover({ io, style, rowOf: (id) => app.stores.approvals.find(id) })
    : undefined;
  const held = holdRun(signal);
  const graph = { follow: held.follow };
  const app = await openApp({ settings, project, graph, ...(approver ? { approver } : {}) });
  if (app.provider.name === 'offline') {
    await app.close();
    throw new AppError('USAGE', { problem: NO_MODEL });
  }
  const ended = app.startRun({ task, signal });
  const close = async () => {
    held.release();
    await ended.catch(() => {});
    await app.close();
  };
  try {
    const run = await Promise.race([held.run, ended.then(notBegun)]);
    io.stderr(`${style.dim(escapeText(`live: ${app.provider.name}, ${app.provider.why}`))}\n`);
    return { ask: askThrough(run), close };
  } catch (error) {
    await close();
    throw error;
  }
}

const NO_MODEL =
  '--live and --record need a language model. Set OPENAI_API_KEY, ANTHROPIC_API_KEY or GEMINI_API_KEY, or start Ollama, and choose it with --provider.';

function notBegun({ error }: { error: { message: string } | null }): never {
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
