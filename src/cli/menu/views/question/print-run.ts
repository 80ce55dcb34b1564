import type { RunDetails } from '../../../../app/runs/show/get-run.ts';
import { escapeText } from '../../../../contract/text/escape-text.ts';
import { oneLine } from '../../../lists/cell-text.ts';
import { stateSymbol, stateWords } from '../../../lists/run-state.ts';
import { shortId } from '../../../text/short-id.ts';
import { drawMarkdown } from '../../draw/draw-markdown.ts';
import type { Frame } from '../../frame.ts';
import type { MenuContext } from '../../program/create-context.ts';
import { endLines } from '../../run/result-lines.ts';
import { cutEnd } from '../../terminal/text-width.ts';

/** Prints a run: task, steps, answer, outcome and changes. */
export async function printRun(context: MenuContext, runId: string): Promise<void> {
  const { capstan, print } = context;
  const [details, changes] = await Promise.all([
    capstan.runs.get(runId),
    capstan.runs.diff(runId).catch(() => undefined),
  ]);
  const frame = context.frame();
  const end = endLines(details.document, frame, { changes, at: 'conversation' });
  print(['', ...runLines(details, frame), ...end.slice(0, -1)].join('\n'));
}

/** The task, the steps and the answer; all text is escaped. */
function runLines({ run, document }: RunDetails, frame: Frame): readonly string[] {
  const { style, symbols, width } = frame;
  const head = `${symbols.prompt} ${escapeText(run.task, true)}`;
  const facts = [`run ${shortId(run.id)}`, run.provider, `sandbox ${document.isolation}`];
  const steps = document.subtasks.map((step, index) => stepLine(step, index, frame));
  const { answer, error } = document;
  const problem = error ? [`  ${escapeText(error.message, true)}`] : [];
  return [
    style.bold(head),
    style.dim(`  ${facts.map(oneLine).join(symbols.separator)}`),
    ...steps.map((line) => cutEnd(line, width, symbols)),
    ...problem,
    ...(answer ? ['', ...drawMarkdown(answer, frame)] : []),
    '',
  ];
}

type Step = RunDetails['document']['subtasks'][number];

function stepLine(step: Step, index: number, { style, symbols }: Frame): string {
  const { description, capsule_id, status, reason, error } = step;
  const list = { symbols, style, spinner: symbols.still, width: 0, now: new Date(0), home: '' };
  const symbol =
    status === 'skipped'
      ? symbols.skipped
      : status === 'waiting_approval'
        ? symbols.question
        : stateSymbol({ status }, list);
  const paint = status === 'completed' ? style.green : status === 'failed' ? style.red : style.dim;
  const words = status === 'skipped' ? 'skipped' : stateWords({ status, reason });
  const why = error === null ? words : oneLine(error.message);
  const facts = [capsule_id ?? '', status === 'waiting_approval' ? 'waits for you' : why];
  const more = facts.filter((fact) => fact !== '').join(symbols.separator);
  return `${paint(symbol)} ${index + 1} ${oneLine(description)}  ${style.dim(more)}`;
}
