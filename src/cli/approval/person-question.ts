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
  return `${digitsOf(choices)}, or ${freeText ? 'your own words' : 'a choice'}: `;
}

/** The digits that stand for the choices: `1 or 2`, `1 to 4`. */
export const digitsOf = ({ length }: readonly string[]): string =>
  length < 3 ? (['1', '1 or 2'][length - 1] ?? '') : `1 to ${length}`;

/** The answer that was typed: the number of a choice, a choice in any case, or other words if allowed; or undefined. */
export function personAnswer(line: string, { choices, freeText }: Question): string | undefined {
  const words = line.trim();
  if (words === '') return undefined;
  if (choices.includes(words)) return words;
  const numbered = /^[1-9]$/.test(words) ? choices[Number(words) - 1] : undefined;
  const [named, ...others] = choices.filter((one) => lowered(one) === lowered(words));
  const choice = numbered ?? (others.length === 0 ? named : undefined);
  return choice ?? (freeText ? words : undefined);
}

const lowered = (text: string): string => text.trim().toLowerCase();
