import type { Approval } from '../../contract/approval.ts';
import { withDocumentKeys } from '../../contract/documents/document-keys.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import { shortTime } from '../../contract/text/short-time.ts';
import { tierWords } from '../../contract/text/tier-words.ts';
import { counted, formatCost, formatDuration } from '../text/format.ts';
import { quotedText } from '../text/quoted-text.ts';
import { shortId } from '../text/short-id.ts';
import type { Style } from '../text/style.ts';

/** A question with its facts and details as text, all escaped. `folded`: the omitted part, `60 lines, 479 characters`, if any. */
export function approvalBlock(
  approval: Approval,
  { style, now, isFolded = false }: { style: Style; now: Date; isFolded?: boolean },
) {
  const { question, capsuleId, capsuleReason } = approval;
  const { shown, folded } = fold(approval.details, isFolded);
  const facts = factsOf(approval, now).map(
    ([name, value]) => `  ${style.dim(name.padEnd(FACT_WIDTH))}${value}`,
  );
  const lines = [
    style.yellow(`? ${escapeText(question)}`),
    ...facts,
    ...(shown === '' ? [] : [quotedText(shown)]),
    ...(folded ? [style.yellow(`  │ … ${folded} not shown`)] : []),
    ...(capsuleReason
      ? [`  ${escapeText(capsuleId)} says (its own words): "${escapeText(capsuleReason)}"`]
      : []),
  ];
  return { text: `${lines.join('\n')}\n`, folded };
}

const FACT_WIDTH = 11;

function factsOf(approval: Approval, now: Date): readonly (readonly [string, string])[] {
  const { id, why, capsuleId, subtaskId, operation, runId, workspace, binding } = approval;
  const who = [escapeText(capsuleId), ...(subtaskId ? [`subtask ${escapeText(subtaskId)}`] : [])];
  const does = [escapeText(operation), tierOf(approval), costOf(approval)].filter(Boolean);
  return [
    ...(why === '' ? [] : [['why', escapeText(why)] as const]),
    ['does', does.join(' · ')],
    ['for', who.join(', ')],
    ['run', `${shortId(runId)} in ${escapeText(workspace)}`],
    ['deadline', deadlineOf(approval, now)],
    // The first digits are enough for a person to compare.
    ['question', `${shortId(id)} (binding ${binding.slice(0, 12)})`],
  ];
}

/** `tier 1 (write)`. */
export const tierOf = ({ operation, tier }: Pick<Approval, 'operation' | 'tier'>): string =>
  `tier ${tier} (${tierWords(operation, tier)})`;

/** `free`, `up to $0.40` or `cost not known`. */
export function costOf({ costMicroUsd }: Pick<Approval, 'costMicroUsd'>): string {
  if (costMicroUsd === null) return 'cost not known';
  return costMicroUsd === 0 ? 'free' : `up to ${formatCost(costMicroUsd / 1e6)}`;
}

/** `none`, or the time of the deadline and the time left. */
export function deadlineOf({ expiresAt }: Pick<Approval, 'expiresAt'>, now: Date): string {
  if (expiresAt === null) return 'none';
  const leftMs = Date.parse(expiresAt) - now.getTime();
  const left = leftMs > 0 ? `in ${formatDuration(leftMs)}` : 'over';
  return `${shortTime(expiresAt)} (${left})`;
}

const MAX_LINES = 40;
const MAX_CHARS = 4_000;

function fold(details: string, isFolded: boolean) {
  const lines = details.split('\n');
  const shown = cut(lines.slice(0, MAX_LINES).join('\n'), MAX_CHARS);
  if (!isFolded || shown.length === details.length) return { shown: details, folded: undefined };
  const left = details.slice(shown.length).replace(/^\n/, '');
  const count = left.split('\n').length;
  return { shown, folded: `${counted(count, 'line')}, ${left.length} characters` };
}

/** The first `maxChars` UTF-16 units of a text, without splitting a surrogate pair. */
function cut(text: string, maxChars: number): string {
  const begin = text.slice(0, maxChars);
  return /[\ud800-\udbff]$/.test(begin) ? begin.slice(0, -1) : begin;
}

/** A question as `--json` prints it. */
export function approvalDocument(approval: Approval) {
  const { requestHash, capsuleHash, policyVersion, plan, editedSteps, createdAt, ...shown } =
    approval;
  return { ...withDocumentKeys(shown), asked_at: createdAt };
}

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
  if (words === '' || missingChoice(words, choices) !== undefined) return undefined;
  if (choices.includes(words)) return words;
  const numbered = /^[1-9]$/.test(words) ? choices[Number(words) - 1] : undefined;
  const [named, ...others] = choices.filter((one) => lowered(one) === lowered(words));
  const choice = numbered ?? (others.length === 0 ? named : undefined);
  return choice ?? (freeText ? words : undefined);
}

/** `There is no choice 4` for a digit of no choice. If choices begin with digits, any digit may be an answer: undefined. */
export function missingChoice(line: string, choices: readonly string[]): string | undefined {
  const words = line.trim();
  const isChoice = words !== '0' && Number(words) <= choices.length;
  if (!/^\d$/.test(words) || isChoice || choices.length === 0) return undefined;
  return choices.some(beginsWithDigit) ? undefined : `There is no choice ${words}`;
}

export const beginsWithDigit = (choice: string): boolean => /^\s*\d/.test(choice);

const lowered = (text: string): string => text.trim().toLowerCase();
