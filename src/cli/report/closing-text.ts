import { counted, formatSeconds } from '../format.ts';
import type { RunChanges } from './changed-files.ts';
import { type ClosedRun, closingLines, parkedWhy, reasonWords } from './closing-lines.ts';
import { runCost } from './run-cost.ts';

interface ClosingTextOptions {
  readonly changes: RunChanges | undefined;
  readonly exitCode: number;
  /** Whole sentences, for screen readers. */
  readonly isPlain: boolean;
}

/**
 * The last two lines of a run for pipes and logs: `failed: denied, 39 s, $0.17, exit code 4`, then
 * `nothing changed; next: capstan runs show 3f9c0a12`.
 */
export function closingText(document: ClosedRun, options: ClosingTextOptions): string {
  const { changes, exitCode, isPlain } = options;
  const closing = closingLines(document, { changes, at: 'shell' });
  const facts = [
    ...stepsOf(document),
    formatSeconds(document.duration_ms),
    runCost(document) ?? '',
    exitCode === 0 ? '' : `exit code ${exitCode}`,
  ].filter((fact) => fact !== '');
  const outcome = `${outcomeOf(document)}${facts.join(', ')}`;
  const changed = closing.changes.join(', ');
  const next = closing.next.length > 0 ? `next: ${closing.next.join(', ')}` : '';
  const after = [changed, next].filter((part) => part !== '').join('; ');
  if (!isPlain) return `${outcome}\n${after === '' ? '' : `${after}\n`}`;
  const verb = outcome.startsWith('failed') ? '' : 'is ';
  const sentences = [
    `The run ${verb}${outcome}.`,
    ...(changed === '' ? [] : [`Files: ${changed}.`]),
  ];
  return [...sentences, ...(next === '' ? [] : [`N${next.slice(1)}`]), ''].join('\n');
}

/** `done: `, `failed: denied, `, `parked: a question waits, ` */
function outcomeOf(document: ClosedRun): string {
  const { status, reason } = document;
  if (status === 'completed') return 'done: ';
  if (status === 'parked') return `parked: ${parkedWhy(document)}, `;
  if (status === 'cancelled') return 'cancelled: ';
  return reason === null || reason === 'subtask_failed'
    ? 'failed: '
    : `failed: ${reasonWords(reason)}, `;
}

function stepsOf({ status, subtasks }: ClosedRun): readonly string[] {
  if (status !== 'completed' || subtasks.length === 0) return [];
  return [counted(subtasks.length, 'step')];
}
