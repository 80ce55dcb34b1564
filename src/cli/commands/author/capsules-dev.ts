import { isatty } from 'node:tty';
import type { DevelopEvent, DevelopOptions } from '../../../app/capsules/trials/develop-capsule.ts';
import { AppError, messageOf } from '../../../contract/errors.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { trialDocument } from '../../capsule/trial-document.ts';
import { showDifference, summaryOf, warningsOf } from '../../capsule/trial-text.ts';
import type { CommandArguments, CommandDefinition, CommandIo } from '../../command.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { printJson } from '../../io/print-json.ts';
import { standard } from '../../options/standard-options.ts';
import { textOption } from '../../options/text-option.ts';
import { trialOptions, withTrialOptions } from '../../options/trial-options.ts';
import { createStyle, type Style } from '../../style.ts';
import { withCapstan } from '../../with-capstan.ts';

export const capsulesDev: CommandDefinition = {
  name: 'dev',
  topic: 'Make',
  brief: 'again after each save',
  summary: 'Run a task again after each save of a capsule, and show what changed',
  arguments: '<capsule>',
  options: [
    { flags: '--task <text>', description: 'the task; it works in a copy of the workspace' },
    { flags: '--case <name>', description: 'one of its cases, instead of --task' },
    { flags: '--task-kind <name>', description: 'default: the one that a run would choose' },
    ...trialOptions('ask a real model if no answer is recorded'),
    standard.json,
  ],
  examples: [
    'capstan capsules dev log-analyst --case server-errors',
    'capstan capsules dev ./agents/mine --task "Summarise notes.md" --live',
  ],
  run: withCapstan(({ capstan, args, io }) =>
    withTrialOptions({ capstan, args, io }, async (options) => {
      const subject = subjectOf(args);
      const [named = ''] = args.positionals;
      const taskKind = textOption(args.options['taskKind']);
      const print = args.options['json'] === true ? documentPrinter(io) : textPrinter(io);
      const events = capstan.capsules.develop(named, { ...options, subject, taskKind });
      for await (const event of events) print(event);
      return exitCodes.completed;
    }),
  ),
};

function subjectOf({ options }: CommandArguments): DevelopOptions['subject'] {
  const task = textOption(options['task']);
  const named = textOption(options['case']);
  if (task !== undefined && named === undefined) return { task };
  if (named !== undefined && task === undefined) return { case: named };
  const problem = 'Name either a task with --task "…" or one of its cases with --case <name>.';
  throw new AppError('USAGE', { problem });
}

type Print = (event: DevelopEvent) => void;
type DevelopRun = Extract<DevelopEvent, { type: 'run.ended' }>['run'];

function textPrinter(io: CommandIo): Print {
  const style = createStyle(io.environment, isatty(1));
  return (event) => {
    if (event.type === 'run.ended') io.stdout(textOf(event.run, style));
    else if (event.type === 'run.failed') printError(io, event.error);
    else io.stderr(style.dim(`watching ${event.folder}; press Ctrl-C to stop\n`));
  };
}

const documentPrinter =
  (io: CommandIo): Print =>
  (event) => {
    if (event.type === 'run.ended') printJson(io, documentOf(event.run));
    else if (event.type === 'run.failed') printError(io, event.error);
  };

const printError = (io: CommandIo, error: unknown): void =>
  io.stderr(`${escapeText(messageOf(error), true)}\n`);

function textOf(run: DevelopRun, style: Style): string {
  const { number, overlay, result, problems, difference } = run;
  const head = `#${number} · overlay ${overlay.slice(0, 12)} · ${escapeText(summaryOf(result))}`;
  const lines = [
    ...warningsOf(result).map((warning) => `! ${warning}`),
    ...(problems ?? []).map((problem) => `FAIL ${escapeText(problem)}`),
    ...(problems?.length === 0 ? ['case passed'] : []),
  ];
  const answer = difference
    ? showDifference(difference, style)
    : `${escapeText(result.answer, true)}\n`;
  return `${style.bold(head)}\n${lines.map((line) => `${line}\n`).join('')}${answer}`;
}

const documentOf = ({ number, overlay, result, problems, difference }: DevelopRun) => ({
  run: number,
  overlay,
  ...trialDocument(result),
  problems: problems ?? null,
  difference: difference ?? null,
  duration_ms: result.durationMs,
});
