import { isatty } from 'node:tty';
import type { App } from '../app/open-app.ts';
import { packageVersion } from '../config/package-version.ts';
import type { LoadedSettings } from '../config/settings.ts';
import { escapeText } from '../contract/text/escape-text.ts';
import type { RunRecord } from '../coordinator/run-store.ts';
import type { CommandIo } from './command.ts';
import { conclude } from './conclude.ts';
import { exitCodeOf } from './exit-codes.ts';
import { isTold, type LogLevel } from './log-level.ts';
import { printRun } from './print-run.ts';
import { createProgressLine } from './progress-line.ts';
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
  /** `--dangerously-no-isolation`. */
  readonly isIsolationWaived?: boolean;
}

/** Carries out (or goes on with) one run at this terminal: progress on stderr, the answer on stdout. Returns the exit code. */
export async function showRun(
  loaded: LoadedSettings,
  { io, isJson, isQuiet, policyFile, isIsolationWaived = false }: ShowRunOptions,
  carryOut: (app: App, signal: AbortSignal) => Promise<RunRecord>,
): Promise<number> {
  const { settings, project } = loaded;
  const style = createStyle(io.environment, isatty(2));
  const approver =
    io.isTerminal && !isJson ? createTerminalApprover({ io, style, rowOf }) : undefined;
  const level: LogLevel = isQuiet ? 'error' : settings.logLevel;
  const tell = approver?.beside(io.stderr) ?? io.stderr;
  const isLive = io.isTerminal && !isJson && !isQuiet;
  const { openApp } = await import('../app/open-app.ts');
  const app = await openApp({
    settings,
    project,
    policyFile,
    isIsolationWaived,
    ...(approver ? { approver } : {}),
    onProgress: createProgressLine({ isTerminal: isLive, stderr: tell }, 'Embedding capsules').tell,
  });
  function rowOf(id: string) {
    return app.stores.approvals.find(id);
  }
  const watch = watchSignals(settings.runTimeoutMs, app.killNow);
  try {
    app.events.listen(watch.listener);
    app.events.listen(createRunView(tell, style, { level, asking: approver }));
    for (const [weight, text] of introduction(loaded, app))
      if (isTold(weight, level)) tell(`${style.dim(escapeText(text, true))}\n`);
    const run = await carryOut(app, watch.signal);
    const document = app.documentOf(run);
    if (isJson) printRun(io, document);
    else conclude(document, { io, tell, level });
    return exitCodeOf(run, { signal: watch.received(), isLate: watch.isLate() });
  } finally {
    watch.stop();
    await app.close();
  }
}

function introduction({ notices, settings }: LoadedSettings, app: App): [LogLevel, string][] {
  const { name, why } = app.provider;
  const provider = name === 'offline' ? 'offline (no language model)' : name;
  const all = [...notices, ...app.notices];
  return [
    ['info', `capstan ${packageVersion()} · ${provider}, ${why} · isolation ${app.isolation}`],
    ['info', `workspace ${settings.workspace}`],
    ...all.map((notice): [LogLevel, string] => ['warn', `! ${notice}`]),
  ];
}
