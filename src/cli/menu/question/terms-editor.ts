import { join } from 'node:path';
import { proposePattern } from '../../../app/approvals/propose-pattern.ts';
import type { RememberRequest } from '../../../app/approvals/remember-terms.ts';
import type { Approval } from '../../../contract/approval.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { spendCovered, spendLimit } from '../../../contract/text/spend-terms.ts';
import { usage } from '../../../contract/usage.ts';
import { months } from '../../lists/cell-text.ts';
import { momentOf } from '../../text/moment.ts';
import type { Drawn, Frame } from '../frame.ts';
import { isKey, type KeyInput, plainText } from '../terminal/key.ts';
import { cutEnd, textWidth } from '../terminal/text-width.ts';

/** The terms of a remembered answer while they are edited. */
export interface Terms {
  readonly answer: 'approve' | 'deny';
  readonly field: 'pattern' | 'scope' | 'until';
  /** `argv:`, `path:`, `host:`; undefined if only exactly this request can be remembered. */
  readonly prefix: string | undefined;
  readonly pattern: string;
  readonly scope: 'run' | 'capsule';
  /** `2026-12-22`, `7d`. */
  readonly until: string;
}

const DAYS = 30;
const DAY_MS = 86_400_000;
/** Longest text of a field, in characters. */
const MAX_CHARS = 500;

/** The terms that are proposed first: the narrowest useful pattern, this folder, 30 days. */
export function openTerms(answer: Terms['answer'], approval: Approval, now: Date): Terms {
  const [, prefix, pattern = ''] = /^([a-z]+:)(.*)$/s.exec(proposePattern(approval) ?? '') ?? [];
  return {
    answer,
    field: prefix === undefined ? 'scope' : 'pattern',
    prefix,
    pattern,
    scope: 'capsule',
    until: defaultEnd(now),
  };
}

/** Applies a key or a paste to the terms. The caller handles Enter and Esc. */
export function editTerms(terms: Terms, input: KeyInput): Terms {
  if ('paste' in input) return append(terms, input.paste.replace(/[\r\n]+/g, ' '));
  if (isKey(input, 'tab')) return { ...terms, field: nextField(terms) };
  const { field } = terms;
  const text = plainText(input);
  if (field === 'scope')
    return text === undefined && !isKey(input, 'left') && !isKey(input, 'right')
      ? terms
      : choose(terms, text);
  if (isKey(input, 'up') && canWiden(terms)) return { ...terms, pattern: wider(terms.pattern) };
  if (isKey(input, 'backspace'))
    return { ...terms, [field]: [...terms[field]].slice(0, -1).join('') };
  if ('ctrl' in input && input.ctrl && input.name === 'u') return { ...terms, [field]: '' };
  return text === undefined ? terms : append(terms, text);
}

/** Only paths: a wider pattern of a command allows what nobody can foresee. */
const canWiden = ({ field, prefix }: Terms): boolean => field === 'pattern' && prefix === 'path:';

/** `src/cart.js`, then `src/**`, then `**`: every file of the workspace. */
function wider(pattern: string): string {
  const path = pattern.replace(/(?:^|\/)\*\*$/, '');
  const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
  return folder === '' && path.startsWith('/') ? pattern : join(folder, '**');
}

function append(terms: Terms, text: string): Terms {
  const { field } = terms;
  return field === 'scope'
    ? terms
    : { ...terms, [field]: `${terms[field]}${text}`.slice(0, MAX_CHARS) };
}

function choose(terms: Terms, text: string | undefined): Terms {
  if (text === undefined) return { ...terms, scope: terms.scope === 'run' ? 'capsule' : 'run' };
  const scope = ({ '1': 'run', '2': 'capsule' } as const)[text];
  return scope ? { ...terms, scope } : terms;
}

function nextField({ field, prefix, scope }: Terms): Terms['field'] {
  if (field === 'pattern') return 'scope';
  if (field === 'scope' && scope === 'capsule') return 'until';
  return prefix === undefined ? 'scope' : 'pattern';
}

/** Builds the request to remember the answer. @throws AppError `USAGE`, naming the invalid field. */
export function rememberRequest(
  { prefix, pattern, scope, until }: Terms,
  now: Date,
): RememberRequest {
  if (prefix !== undefined && pattern.trim() === '')
    throw usage('The pattern is empty. Type what it should match.');
  const named = prefix === undefined ? {} : { pattern: `${prefix}${pattern.trim()}` };
  if (scope === 'run') return { scope, ...named };
  const end = momentOf(until, now, 'future');
  if (!end || end <= now)
    throw usage(
      `The end "${until}" is not a day in the future. Type a day such as ${defaultEnd(now)}, or 7d.`,
    );
  return { scope, ...named, until: end.toISOString() };
}

/** `this folder, until 22 Dec 2026` */
export const termsInWords = ({ scope, until }: Terms): string =>
  scope === 'run' ? 'this run' : `this folder, until ${shownDay(until)}`;

/** Draws what it matches, its scope and expiry, its limits, and the keys. The focused field has colour. */
export function drawTerms(
  terms: Terms,
  approval: Pick<Approval, 'capsuleId' | 'kind' | 'target' | 'question' | 'operation'>,
  frame: Frame,
): Drawn {
  const { style, symbols, width } = frame;
  const isSpend = approval.kind === 'spend';
  const head = `  Always ${terms.answer === 'approve' ? 'allow' : 'deny'} ${coveredText(terms, approval)}`;
  const widens = canWiden(terms) ? ['Up widens it'] : [];
  const keys = [fieldKeys[terms.field], ...widens, 'Tab next', 'Enter stores', 'Esc back'];
  const dim = (text: string) => style.dim(cutEnd(`  ${text}`, width, symbols));
  const where = cutEnd(whereLine(terms, isSpend, frame), width, symbols);
  const pattern = lastColumns(head, width, symbols.cut);
  const y = terms.field === 'pattern' ? 0 : 1;
  const x = terms.field === 'scope' ? 2 : textWidth(y === 0 ? pattern : where);
  return {
    lines: [
      y === 0 ? style.cyan(pattern) : pattern,
      y === 1 ? style.cyan(where) : where,
      ...limitsOf(terms, approval).map(dim),
      dim(keys.join(symbols.separator)),
    ],
    cursor: { x: Math.min(x, frame.columns - 1), y },
  };
}

/** What it does not cover, unless spending is denied, and what a wide pattern covers too. */
function limitsOf(
  { answer, prefix, pattern }: Terms,
  { kind, question, operation }: Pick<Approval, 'kind' | 'question' | 'operation'>,
): readonly string[] {
  if (kind === 'spend') return answer === 'deny' ? [] : [spendLimit(question)];
  const isPath = prefix === 'path:';
  const only = isPath ? ` (${operation.split('.')[1]}, no other operation)` : '';
  const isWide = isPath && answer === 'approve' && pattern.includes('*');
  return [
    `The request only${only}, not what files contain.`,
    ...(isWide ? ['Also files that programs run by themselves, such as package.json.'] : []),
  ];
}

/** `command-runner to run: npm test`. A consent to spend is for every run of the folder, whichever capsule asks. */
function coveredText(
  { prefix, pattern, answer }: Terms,
  { capsuleId, kind, target }: Pick<Approval, 'capsuleId' | 'kind' | 'target'>,
): string {
  if (kind === 'spend') return escapeText(spendCovered(target, answer));
  const verb = verbs[prefix ?? ''];
  const covers = verb === undefined ? 'exactly this request' : `${verb}: ${escapeText(pattern)}`;
  return `${escapeText(capsuleId)} ${covers}`;
}

const fieldKeys: Readonly<Record<Terms['field'], string>> = {
  pattern: 'Type the pattern',
  scope: '1 or 2 chooses',
  until: 'Type the last day',
};

/** `  this run  ▸this folder, until the capsule changes · until 22 Dec 2026`, with digits while they are keys. */
function whereLine({ field, scope, until }: Terms, isSpend: boolean, { symbols }: Frame): string {
  const choice = (value: Terms['scope'], digit: string, text: string) =>
    `${scope === value ? symbols.chosen : ' '}${field === 'scope' ? `${digit} ` : ''}${text}`;
  const scopes = [
    choice('run', '1', 'this run'),
    choice(
      'capsule',
      '2',
      isSpend ? 'every run in this folder' : 'this folder, until the capsule changes',
    ),
  ];
  const day = field === 'until' ? escapeText(until) : shownDay(until);
  return ` ${scopes.join(' ')}${scope === 'run' ? '' : `${symbols.separator}until ${day}`}`;
}

/** Cuts the beginning of a long line, because the person types at its end. */
function lastColumns(line: string, width: number, cut: string): string {
  if (textWidth(line) <= width) return line;
  const letters = [...line];
  let shown = '';
  while (letters.length > 0 && textWidth(`${cut}${letters.at(-1)}${shown}`) <= width - 2)
    shown = `${letters.pop()}${shown}`;
  return `  ${cut}${shown}`;
}

const verbs: Readonly<Record<string, string>> = {
  'argv:': 'to run',
  'path:': 'to change',
  'host:': 'to reach',
};

/** The default expiry, as a local day: `2026-12-22`. */
function defaultEnd(now: Date): string {
  const end = new Date(now.getTime() + DAYS * DAY_MS);
  const pad = (value: number) => String(value).padStart(2, '0');
  return `${end.getFullYear()}-${pad(end.getMonth() + 1)}-${pad(end.getDate())}`;
}

/** `22 Dec 2026`; other texts as they are. */
function shownDay(until: string): string {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(until) ?? [];
  return year === undefined
    ? escapeText(until)
    : `${Number(day)} ${months[Number(month) - 1] ?? month} ${year}`;
}
