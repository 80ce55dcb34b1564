import type { DevelopEvent, DevelopOptions } from '../../../app/capsules/trials/develop-capsule.ts';
import { messageOf } from '../../../contract/errors.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { usage } from '../../../contract/usage.ts';
import type { CommandDefinition } from '../../command.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { printJson } from '../../io/print-json.ts';
import { standard } from '../../options/standard-options.ts';
import { trialOptions, withTrial } from '../../options/trial-options.ts';
import { shorten } from '../../text/shorten.ts';
import type { Style } from '../../text/style.ts';
import type { CommandContext } from '../../with-capstan.ts';
import { showDifference, summaryOf, trialDocument, warningsOf } from './trial-text.ts';

export const capsulesDev: CommandDefinition = {
  name: 'dev',
  summary: 'Run a task after each save and show what changed',
  arguments: '<capsule>',
  options: {
    '--task <text>': 'the task; it works in a copy of the workspace',
    '--case <name>': 'one of its cases, instead of --task',
    '--task-kind <name>': 'default: the one that a run would choose',
    ...trialOptions('ask a real model if no answer is recorded'),
    ...standard.json,
  },
  examples: [
    'capstan capsules dev log-analyst --case server-errors',
    'capstan capsules dev ./agents/mine --task "Summarise notes.md" --live',
  ],
  run: withTrial(async (context, options) => {
    const { capstan, named, text } = context;
    const subject = subjectOf(context);
    const taskKind = text('taskKind');
    const events = capstan.capsules.develop(named, { ...options, subject, taskKind });
    for await (const event of events) printEvent(event, context);
    return exitCodes.completed;
  }),
};

function subjectOf({ text }: CommandContext): DevelopOptions['subject'] {
  const task = text('task');
  const named = text('case');
  if (task !== undefined && named === undefined) return { task };
  if (named !== undefined && task === undefined) return { case: named };
  throw usage('Name either a task with --task "…" or one of its cases with --case <name>.');
}

function printEvent(event: DevelopEvent, { isJson, has, io, style }: CommandContext): void {
  const note = (text: string) => isJson || io.stderr(style.dim(`${text}\n`));
  if (event.type === 'run.failed') io.stderr(`${escapeText(messageOf(event.error), true)}\n`);
  else if (event.type === 'run.started') note('running; a save starts it again');
  else if (event.type === 'watch.started') note(`watching ${event.folder}; press Ctrl-C to stop`);
  else if (isJson) printJson(io, documentOf(event));
  else io.stdout(textOf(event, has('live'), style));
}

type DevelopRun = Extract<DevelopEvent, { type: 'run.ended' }>;

function textOf({ run, saved }: DevelopRun, isLive: boolean, style: Style): string {
  const { number, overlay, result, problems, difference } = run;
  const facts = [
    ...(saved.length > 0 ? [`${shorten(saved.join(', '), 80)} saved`] : []),
    `overlay ${overlay.slice(0, 12)}`,
    summaryOf(result),
  ];
  const lines = [
    style.bold(escapeText(`#${number} · ${facts.join(' · ')}`)),
    ...warningsOf(result, isLive).map((warning) => `! ${warning}`),
    ...(problems ?? []).map((problem) => `FAIL ${escapeText(problem)}`),
    ...(problems?.length === 0 ? ['case passed'] : []),
    difference ? showDifference(difference, style) : `${escapeText(result.answer, true)}\n`,
  ];
  return lines.join('\n');
}

const documentOf = ({ run: { number, overlay, result, ...run }, saved }: DevelopRun) => ({
  run: number,
  saved,
  overlay,
  ...trialDocument(result),
  problems: run.problems ?? null,
  difference: run.difference ?? null,
  replayed_runs: [...new Set(result.steps.flatMap(({ run }) => run?.id ?? []))],
  duration_ms: result.durationMs,
});
