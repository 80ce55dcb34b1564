import type { ComparedTask } from '../../../app/capsules/overlay/compare-overlays.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { shortTime } from '../../../contract/text/short-time.ts';
import { counted, formatCost, formatDuration } from '../../text/format.ts';
import { shortId } from '../../text/short-id.ts';
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
  const live = steps.filter(({ from }) => from === 'live').length;
  const parts = [
    status,
    counted(modelCalls, 'model call'),
    counted(toolCalls, 'tool call'),
    ...replayedOf(steps),
    ...(live > 0 ? [`${live} live`] : []),
    ...(approvals.length > 0 ? [counted(approvals.length, 'approval')] : []),
    ...(costMicroUsd > 0 ? [formatCost(costMicroUsd / 1e6)] : []),
    formatDuration(durationMs),
  ];
  return parts.join(' · ');
}

/** `1 replayed`, `2 replayed from run 9fa5e269 of 2026-11-21 07:20:03 UTC`: one text for each source. */
function replayedOf(steps: TrialResult['steps']): string[] {
  const sources = steps
    .filter(({ from }) => from === 'record' || from === 'reworded')
    .map(({ run }) => (run ? ` from run ${shortId(run.id)} of ${shortTime(run.createdAt)}` : ''));
  return [...new Set(sources)].map(
    (source) => `${sources.filter((one) => one === source).length} replayed${source}`,
  );
}

/**
 * Warnings about answers recorded under another prompt and about missing answers; empty if there are none.
 *
 * @param isLive Whether a live model answered.
 */
export function warningsOf({ reworded, unknown }: TrialResult, isLive: boolean): string[] {
  const old = `${counted(reworded, 'model answer')} recorded under another prompt or after other tool results; --live asks the model again.`;
  const advice = isLive ? '.' : '; --live asks a real model and reads pages.';
  const missing = `${counted(unknown, 'request')} not recorded, and not performed${advice}`;
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
