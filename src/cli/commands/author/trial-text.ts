import type { ComparedTask } from '../../../app/capsules/overlay/compare-overlays.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { counted, formatCost, formatDuration } from '../../text/format.ts';
import type { Style } from '../../text/style.ts';

/** One trial, for JSON. */
export const trialDocument = (result: ComparedTask['before']) => ({
  status: result.status,
  error: result.error,
  answer: result.answer,
  model_calls: result.modelCalls,
  tool_calls: result.toolCalls,
  cost_usd: result.costMicroUsd / 1e6,
  approvals: result.approvals,
  reworded: result.reworded,
  not_recorded: result.unknown,
});

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

/** Warnings about answers recorded under another prompt and about missing answers; empty if there are none. */
export function warningsOf({ reworded, unknown }: TrialResult): string[] {
  const old = `${counted(reworded, 'model answer')} recorded under another prompt; --live asks the model again.`;
  const missing = `${counted(unknown, 'request')} not recorded, and not performed.`;
  return [...(reworded > 0 ? [old] : []), ...(unknown > 0 ? [missing] : [])];
}

/** The parts that differ, each under its name. */
export function showDifference(difference: Difference, style: Style): string {
  const shown = (['prompt', 'steps', 'answer'] as const)
    .filter((name) => difference[name].length > 0)
    .map((name) => `${name}\n${showLines(difference[name], style)}`);
  return `${shown.join('')}${difference.isSame ? 'same steps, same answer\n' : ''}`;
}

function showLines(lines: Difference['prompt'], style: Style): string {
  const shown = lines.slice(0, MAX_LINES).map(({ sign, text }) => {
    const line = `  ${sign} ${escapeText(text.slice(0, 400))}`;
    if (sign === '+') return `${style.green(line)}\n`;
    return `${sign === '-' ? style.red(line) : style.dim(line)}\n`;
  });
  const rest = lines.length - shown.length;
  return `${shown.join('')}${rest > 0 ? `  … and ${rest} more lines\n` : ''}`;
}
