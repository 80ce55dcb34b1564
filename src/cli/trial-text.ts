import type { ComparedTask } from '../app/capsules/compare-overlays.ts';
import { escapeText } from '../contract/text/escape-text.ts';
import { formatCost, formatDuration } from './format.ts';
import type { Style } from './style.ts';

type TrialResult = ComparedTask['before'];
type Difference = ComparedTask['difference'];

const MAX_LINES = 60;

/** One line about a trial. */
export function summaryOf(result: TrialResult): string {
  const { status, modelCalls, toolCalls, costMicroUsd, approvals, steps, durationMs } = result;
  const count = (from: string) => steps.filter((step) => step.from === from).length;
  const replayed = count('record') + count('reworded');
  const parts = [
    status,
    counted(modelCalls, 'model call'),
    counted(toolCalls, 'tool call'),
    ...(replayed > 0 ? [`${replayed} replayed`] : []),
    ...(count('live') > 0 ? [`${count('live')} live`] : []),
    ...(approvals.length > 0 ? [counted(approvals.length, 'approval')] : []),
    ...(costMicroUsd > 0 ? [formatCost(costMicroUsd / 1e6)] : []),
    formatDuration(durationMs),
  ];
  return parts.join(' · ');
}

/** Notes about answers that were replayed under another prompt, or are missing; empty if there are none. */
export function doubtsOf({ reworded, unknown }: TrialResult): string[] {
  return [
    ...(reworded > 0
      ? [
          `${counted(reworded, 'model answer')} given under another prompt; with --live the model is asked again.`,
        ]
      : []),
    ...(unknown > 0
      ? [`${counted(unknown, 'request')} not in the record, and not carried out.`]
      : []),
  ];
}

/** The parts that differ, each below its name. */
export function showDifference(
  { prompt, answer, steps, isSame }: Difference,
  style: Style,
): string {
  const parts = [
    ['prompt', prompt],
    ['steps', steps],
    ['answer', answer],
  ] as const;
  const shown = parts
    .filter(([, lines]) => lines.length > 0)
    .map(([name, lines]) => `${name}\n${showLines(lines, style)}`);
  return `${shown.join('')}${isSame ? 'same steps, same answer\n' : ''}`;
}

function showLines(lines: Difference['prompt'], style: Style): string {
  const shown = lines.slice(0, MAX_LINES).map(({ sign, text }) => {
    const line = `  ${sign} ${escapeText(text.slice(0, 400))}`;
    if (sign === '+') return `${style.green(line)}\n`;
    return `${sign === '-' ? style.red(line) : style.dim(line)}\n`;
  });
  const rest = lines.length - shown.length;
  return `${shown.join('')}${rest > 0 ? `  … and ${rest} lines more\n` : ''}`;
}

export const counted = (count: number, what: string): string =>
  `${count} ${what}${count === 1 ? '' : 's'}`;
