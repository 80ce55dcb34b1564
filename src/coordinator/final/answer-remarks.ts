import { escapeText } from '../../contract/text/escape-text.ts';
import type { SubtaskRecord } from '../store/subtasks/subtask-record.ts';
import type { Denial } from './denials.ts';

/** An answer names at most this many denials and this many failed steps. */
const MAX_NAMED = 10;

/** A target or a description is shown up to this length, in characters. */
const MAX_SHOWN = 160;

interface Facts {
  readonly status: 'completed' | 'failed' | 'cancelled';
  readonly subtasks: readonly SubtaskRecord[];
  /** Denied operations that did not succeed later. */
  readonly denials: readonly Denial[];
}

/**
 * Adds the facts that an answer must contain and does not yet: denied operations and, if the run completed, failed steps.
 * The denials come first, because the text may claim that the operations succeeded.
 */
export function withRemarks(text: string, { status, subtasks, denials }: Facts): string {
  const denied = list(
    'Denied and not done:',
    denials
      .filter(({ sentence, target }) => !(text.includes(sentence) && text.includes(target)))
      .map(
        ({ operation, target, sentence }) => `${oneLine(`${operation} ${target}`)}: ${sentence}`,
      ),
  );
  const failed = list('Failed steps:', status === 'completed' ? failures(subtasks, text) : []);
  return [denied, text, failed].filter((part) => part !== '').join('\n\n');
}

const failures = (subtasks: readonly SubtaskRecord[], text: string): readonly string[] =>
  subtasks
    .filter(
      ({ status, replacedFor }) => status !== 'completed' && !(replacedFor && status === 'skipped'),
    )
    .map(({ description, status, error }) => ({ description, why: error?.message ?? status }))
    .filter(({ why }) => !text.includes(why))
    .map(({ description, why }) => `${oneLine(description)}: ${why}`);

function list(head: string, lines: readonly string[]): string {
  if (lines.length === 0) return '';
  const more = lines.length - MAX_NAMED;
  const shown = [...lines.slice(0, MAX_NAMED), ...(more > 0 ? [`and ${more} more`] : [])];
  return `${head}\n\n${shown.map((line) => `- ${line}`).join('\n')}`;
}

function oneLine(text: string): string {
  const line = escapeText(text.trim());
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN - 1)}…` : line;
}
