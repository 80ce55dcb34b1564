import type { Difference, DifferentLine } from '../../authoring/difference.ts';
import type { TrialResult } from '../../authoring/trial.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import { formatCost, formatDuration } from '../format.ts';
import type { Style } from '../style.ts';

const MOST_LINES = 60;

/** One line on how a trial went. */
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

/** What a person should know of answers that were not asked for again; none where all fits. */
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

/** The parts that differ, each under its name. */
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

function showLines(lines: readonly DifferentLine[], style: Style): string {
  const shown = lines.slice(0, MOST_LINES).map(({ sign, text }) => {
    const line = `  ${sign} ${escapeText(text.slice(0, 400))}`;
    if (sign === '+') return `${style.green(line)}\n`;
    return `${sign === '-' ? style.red(line) : style.dim(line)}\n`;
  });
  const rest = lines.length - shown.length;
  return `${shown.join('')}${rest > 0 ? `  … and ${rest} lines more\n` : ''}`;
}

export const counted = (count: number, what: string): string =>
  `${count} ${what}${count === 1 ? '' : 's'}`;
