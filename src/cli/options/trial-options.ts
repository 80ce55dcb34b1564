import { isatty } from 'node:tty';
import type { TrialOptions } from '../../app/capsules/trials/open-trial-session.ts';
import type { Capstan } from '../../app/open-capstan.ts';
import { failedWith } from '../../contract/errors.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import { createTerminalApprover } from '../approval/terminal-approver.ts';
import type { CommandIo, CommandOptions } from '../command.ts';
import { adviseOnField } from '../errors/advise-on-field.ts';
import { abortOnSignal, exitCodeOfSignal } from '../io/watch-signals.ts';
import { createStyle } from '../text/style.ts';
import { type CommandContext, type CommandResult, withCapstan } from '../with-capstan.ts';
import { standard } from './standard-options.ts';

/** Options of every command that runs capsules for their author. @param live What `--live` does. */
export const trialOptions = (live: string): CommandOptions => ({
  ...standard.workspace,
  '--live': live,
  ...standard.provider,
  ...standard.model,
  ...standard.budget,
  ...standard.noIsolation,
  ...standard.trustProject,
});

type Result = Promise<number | CommandResult>;

/** The `run` of a command for authors. Ctrl-C and SIGTERM cancel it and set its exit code; a second one kills its capsules. */
export const withTrial = (body: (context: CommandContext, options: TrialOptions) => Result) =>
  withCapstan(async (context) => {
    const { capstan, io, has, capsuleOptions } = context;
    const kill = new AbortController();
    const watch = abortOnSignal(() => kill.abort());
    const { signal } = watch;
    const code = () => exitCodeOfSignal[watch.received() ?? 'SIGINT'];
    const style = createStyle(io.environment, isatty(2));
    try {
      const working = body(context, {
        ...capsuleOptions,
        live: has('live'),
        isIsolationWaived: has('dangerouslyNoIsolation'),
        signal,
        killSignal: kill.signal,
        onEvent: answersAt(io, capstan),
        onLive: ({ provider, why }) =>
          io.stderr(`${style.dim(escapeText(`live: ${provider}, ${why}`))}\n`),
      });
      const ended = await adviseOnField(working, advice);
      if (!signal.aborted) return ended;
      return typeof ended === 'object' ? { ...ended, exitCode: code() } : code();
    } catch (error) {
      if (signal.aborted && failedWith(error, 'CANCELLED')) return code();
      throw error;
    } finally {
      watch.stop();
    }
  });

const advice = { live: 'Choose one with --provider.', workspace: 'Name it with --workspace.' };

/** Answers the questions of a run at this terminal; undefined if it is not a terminal. */
export function answersAt(io: CommandIo, capstan: Pick<Capstan, 'approvals'>) {
  if (!io.isTerminal) return undefined;
  const style = createStyle(io.environment, isatty(2));
  return createTerminalApprover({ io, style, approvals: capstan.approvals }).onEvent;
}
