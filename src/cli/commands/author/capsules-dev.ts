import type { DevelopEvent, DevelopOptions } from '../../../app/capsules/trials/develop-capsule.ts';
import { messageOf } from '../../../contract/errors.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { usage } from '../../../contract/usage.ts';
import type { CommandDefinition, CommandIo } from '../../command.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { printJson } from '../../io/print-json.ts';
import { standard } from '../../options/standard-options.ts';
import { trialOptions, withTrial } from '../../options/trial-options.ts';
import { createStyle, type Style } from '../../text/style.ts';
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
    const { capstan, io, named, isJson, text } = context;
    const subject = subjectOf(context);
    const taskKind = text('taskKind');
    const events = capstan.capsules.develop(named, { ...options, subject, taskKind });
    for await (const event of events) printEvent(event, isJson, io);
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

type DevelopRun = Extract<DevelopEvent, { type: 'run.ended' }>['run'];

function printEvent(event: DevelopEvent, isJson: boolean, io: CommandIo): void {
  const style = createStyle(io.environment, io.isOutputTerminal === true);
  if (event.type === 'run.failed') io.stderr(`${escapeText(messageOf(event.error), true)}\n`);
  else if (event.type === 'run.ended' && isJson) printJson(io, documentOf(event.run));
  else if (event.type === 'run.ended') io.stdout(textOf(event.run, style));
  else if (!isJson) io.stderr(style.dim(`watching ${event.folder}; press Ctrl-C to stop\n`));
}

function textOf(run: DevelopRun, style: Style): string {
  const { number, overlay, result, problems, difference } = run;
  const head = `#${number} · overlay ${overlay.slice(0, 12)} · ${escapeText(summaryOf(result))}`;
  const lines = [
    style.bold(head),
    ...warningsOf(result).map((warning) => `! ${warning}`),
    ...(problems ?? []).map((problem) => `FAIL ${escapeText(problem)}`),
    ...(problems?.length === 0 ? ['case passed'] : []),
    difference ? showDifference(difference, style) : `${escapeText(result.answer, true)}\n`,
  ];
  return lines.join('\n');
}

const documentOf = ({ number, overlay, result, problems, difference }: DevelopRun) => ({
  run: number,
  overlay,
  ...trialDocument(result),
  problems: problems ?? null,
  difference: difference ?? null,
  duration_ms: result.durationMs,
});
