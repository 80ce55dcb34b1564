import { isatty } from 'node:tty';
import type { App } from '../app.ts';
import { packageVersion } from '../config/package-version.ts';
import type { LoadedSettings } from '../config/settings.ts';
import type { RunDocument } from '../coordinator/run-document.ts';
import type { RunRecord } from '../coordinator/run-store.ts';
import type { CommandIo } from './command.ts';
import { escapeText } from './escape-text.ts';
import { exitCodeOf } from './exit-codes.ts';
import { formatBytes, formatCost, formatDuration } from './format.ts';
import { createRunView } from './run-view.ts';
import { createStyle } from './style.ts';
import { createTerminalApprover } from './terminal-approver.ts';
import { watchSignals } from './watch-signals.ts';

export interface ShowRunOptions {
  readonly io: CommandIo;
  /** One document on stdout, and no question on the terminal. */
  readonly isJson: boolean;
  readonly isQuiet: boolean;
  /** `--policy FILE`. */
  readonly policyFile?: string | undefined;
}

/** Carries out (or goes on with) one run at this terminal: progress on stderr, the answer on stdout. Returns the exit code. */
export async function showRun(
  loaded: LoadedSettings,
  { io, isJson, isQuiet, policyFile }: ShowRunOptions,
  carryOut: (app: App, signal: AbortSignal) => Promise<RunRecord>,
): Promise<number> {
  const { settings, project } = loaded;
  const style = createStyle(io.environment, isatty(2));
  const approver =
    io.isTerminal && !isJson ? createTerminalApprover({ io, style, rowOf }) : undefined;
  const tell = isQuiet ? () => {} : (approver?.beside(io.stderr) ?? io.stderr);
  const { openApp } = await import('../app.ts');
  const app = await openApp({ settings, project, policyFile, ...(approver ? { approver } : {}) });
  function rowOf(id: string) {
    return app.stores.approvals.find(id);
  }
  const watch = watchSignals(settings.runTimeoutMs, app.killNow);
  try {
    app.events.listen(watch.listener);
    app.events.listen(createRunView(tell, style, approver));
    introduce(loaded, app, (text) => tell(`${style.dim(text)}\n`));
    const run = await carryOut(app, watch.signal);
    const document = app.documentOf(run);
    if (isJson) io.stdout(`${JSON.stringify(document, undefined, 2)}\n`);
    else conclude(document, io, tell);
    return exitCodeOf(run, { signal: watch.received(), isLate: watch.isLate() });
  } finally {
    watch.stop();
    await app.close();
  }
}

function introduce(
  { notices, settings }: LoadedSettings,
  app: App,
  say: (text: string) => void,
): void {
  const { name, why } = app.provider;
  const provider = name === 'offline' ? 'offline (no language model)' : name;
  say(`capstan ${packageVersion()} · ${provider}, ${why} · isolation ${app.isolation}`);
  say(`workspace ${settings.workspace}`);
  for (const notice of [...notices, ...app.notices]) say(`! ${notice}`);
}

function conclude(document: RunDocument, io: CommandIo, tell: (text: string) => void): void {
  const outcome = document.reason ? `${document.status} (${document.reason})` : document.status;
  const calls = document.usage.input_tokens + document.usage.output_tokens;
  const tokens = calls > 0 ? ` · ${calls} tokens` : '';
  tell(
    `\n${outcome} in ${formatDuration(document.duration_ms)} · ${formatCost(document.cost_usd)}${tokens}\n`,
  );
  for (const { path, bytes } of document.artifacts) tell(`wrote ${path} (${formatBytes(bytes)})\n`);
  if (document.error) tell(`${document.error.code}: ${document.error.message}\n`);
  tell('\n');
  if (document.answer) io.stdout(`${document.answer.trimEnd()}\n`);
  if (document.next.length > 0) io.stderr(`${whatNext(document)}\n`);
}

/** A parked run says what it waits for, and what to type. */
function whatNext({ approvals, next }: RunDocument): string {
  const questions = approvals
    .filter(({ status }) => status === 'pending')
    .map(({ question }) => `It waits for an answer: ${escapeText(question)}`);
  return [...questions, ...next.map((command) => `  ${command}`)].join('\n');
}
