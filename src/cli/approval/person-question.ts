import type { Approval } from '../../contract/approval.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import { quotedText } from '../text/quoted-text.ts';
import { shortId } from '../text/short-id.ts';
import type { Style } from '../text/style.ts';
import { deadlineOf } from './approval-block.ts';

type Question = Pick<Approval, 'choices' | 'freeText'>;

/** A capsule's question as text, with a number before each choice. Everything that the capsule wrote is escaped. */
export function personQuestionBlock(
  approval: Approval,
  { style, now }: { readonly style: Style; readonly now: Date },
): string {
  const { id, runId, subtaskId, workspace, question, details, choices, why, expiresAt } = approval;
  const facts = [
    `question ${shortId(id)}`,
    `run ${shortId(runId)}, subtask ${escapeText(subtaskId)}, in ${escapeText(workspace)}`,
    ...(expiresAt === null ? [] : [`deadline ${deadlineOf(approval, now)}`]),
  ];
  const lines = [
    style.cyan(style.bold(`? ${escapeText(question)}`)),
    ...(details === '' ? [] : [quotedText(details)]),
    ...choices.map((choice, i) => `  ${style.bold(String(i + 1))} ${escapeText(choice)}`),
    style.yellow(`  ${escapeText(why)}`),
    style.dim(`  ${facts.join(' · ')}`),
  ];
  return `${lines.join('\n')}\n`;
}

/** The valid input: `1 to 3, or your own words: `. */
export function personPrompt({ choices, freeText }: Question): string {
  if (choices.length === 0) return 'Your answer: ';
  const digits = choices.length === 1 ? '1' : `1 to ${choices.length}`;
  return freeText ? `${digits}, or your own words: ` : `${digits}: `;
}

/** The answer that was typed: the number of a choice, a choice, or other words if they are allowed. Undefined: none. */
export function personAnswer(line: string, { choices, freeText }: Question): string | undefined {
  const words = line.trim();
  if (words === '') return undefined;
  if (choices.includes(words)) return words;
  const numbered = /^[1-9]$/.test(words) ? choices[Number(words) - 1] : undefined;
  return numbered ?? (freeText ? words : undefined);
}
