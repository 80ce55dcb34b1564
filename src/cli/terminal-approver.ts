import type { AnswerRequest } from '../app/approvals/answer-approval.ts';
import type { Approval, ApprovalAnswer } from '../contract/approval.ts';
import { messageOf } from '../contract/errors.ts';
import { approvalStatus } from '../contract/text/approval-status.ts';
import { escapeText } from '../contract/text/escape-text.ts';
import { approvalBlock } from './approval-block.ts';
import { answerCommands } from './approval-document.ts';
import { type Key, keysOf, spelledOut } from './approval-keys.ts';
import type { CommandIo } from './command.ts';
import { proposePattern } from './propose-pattern.ts';
import type { Style } from './style.ts';
import { openPrompt, type Prompt } from './terminal-prompt.ts';

export interface TerminalApprover {
  /** Asks one question; undefined if the input ended, or `signal` aborted. */
  ask(approval: Approval, signal: AbortSignal): Promise<AnswerRequest | undefined>;
  /** Whether this terminal has shown who answered. */
  hasShown(approvalId: string): boolean;
  /** Writes that leave what is being typed in its place. */
  beside(write: (text: string) => void): (text: string) => void;
}

export interface ApproverParts {
  readonly io: CommandIo;
  readonly style: Style;
  /** The current row of a question: who answered it elsewhere. */
  rowOf(id: string): Approval | undefined | Promise<Approval | undefined>;
  readonly now?: () => Date;
}

type Given = AnswerRequest | undefined;

/** Asks the person at this terminal, one question at a time. Whatever is not a clear answer is asked again. */
export function createTerminalApprover(parts: ApproverParts): TerminalApprover {
  const shown = new Set<string>();
  let last: Promise<unknown> = Promise.resolve();
  let open: Prompt | undefined;

  const askOne = async (approval: Approval, signal: AbortSignal): Promise<Given> => {
    if (signal.aborted) return undefined;
    const { io } = parts;
    const prompt = openPrompt(io, signal);
    open = prompt;
    try {
      const given = await converse(approval, prompt, parts);
      if (given) return given;
      if (signal.aborted) await showWhoAnswered(approval, parts, shown);
      else showThatItStaysOpen(approval, io);
      return undefined;
    } finally {
      open = undefined;
      prompt.close();
    }
  };

  return {
    ask(approval, signal) {
      const mine = last.then(() => askOne(approval, signal));
      last = mine.catch(() => undefined);
      return mine;
    },
    hasShown: (id) => shown.has(id),
    beside: (write) => (text) => (open ? open.aside(() => write(text)) : write(text)),
  };
}

async function converse(approval: Approval, prompt: Prompt, parts: ApproverParts): Promise<Given> {
  const keys = keysOf(approval);
  let isAllSeen = show(approval, true, parts);
  for (;;) {
    const line = await prompt.read(promptOf(keys, parts.style));
    if (line === undefined) return undefined;
    const key = keyOf(line, keys);
    if (key?.does === 'answer' && (isAllSeen || !consents.has(key.answer))) {
      const given = await withMemory(key, approval, { prompt, parts });
      if (given !== 'again') return given;
    } else {
      isAllSeen = explainOrShow(line, key, { approval, keys, parts }) || isAllSeen;
    }
  }
}

/** Nothing is done that was not shown in full. */
const consents: ReadonlySet<ApprovalAnswer> = new Set(['approve', 'do_it']);

/** Returns whether nothing of it was folded. */
function show(approval: Approval, isFolded: boolean, parts: ApproverParts): boolean {
  const { io, style, now = () => new Date() } = parts;
  const { text, folded } = approvalBlock(approval, { style, now: now(), isFolded });
  io.stderr(`\n${text}`);
  return folded === undefined;
}

interface Asked {
  readonly approval: Approval;
  readonly keys: ReadonlyMap<string, Key>;
  readonly parts: ApproverParts;
}

/** What was typed and is no answer, or a consent to what was not shown yet. Returns whether the whole question was shown. */
function explainOrShow(
  line: string,
  key: Key | undefined,
  { approval, keys, parts }: Asked,
): boolean {
  const { io } = parts;
  if (key && key.does !== 'explain') {
    show(approval, false, parts);
    if (key.does === 'answer') io.stderr('  This is all of it. Answer once more.\n');
    return true;
  }
  if (key) io.stderr(explain(keys));
  else if (line.trim() !== '') io.stderr(`  "${escapeText(line.trim())}" is no answer here.\n`);
  return false;
}

function keyOf(line: string, keys: ReadonlyMap<string, Key>): Key | undefined {
  const word = line.trim().toLowerCase();
  return keys.get(spelledOut.get(word) ?? word);
}

/** Short enough for one line of a terminal. */
function promptOf(keys: ReadonlyMap<string, Key>, { bold }: Style): string {
  const isChoice = keys.has('1');
  const asked = keys.has('y') ? 'Approve?' : isChoice ? 'Which one?' : 'What became of it?';
  return `  ${bold(asked)} ${[...keys.keys()].join('/')}: `;
}

const explain = (keys: ReadonlyMap<string, Key>): string =>
  [...keys].map(([key, { words }]) => `    ${key}  ${words}\n`).join('');

interface Conversation {
  readonly prompt: Prompt;
  readonly parts: ApproverParts;
}

/** `again` if the answer can't be remembered as the person wants. */
async function withMemory(
  { answer, scope }: Extract<Key, { does: 'answer' }>,
  approval: Approval,
  { prompt, parts }: Conversation,
): Promise<Given | 'again'> {
  const given = { answer, by: 'terminal' };
  if (!scope) return given;
  const words = scope === 'run' ? {} : await askHow(approval, prompt);
  if (!words) return undefined;
  const { rememberRequestOf } = await import('./remember-words.ts');
  const { rememberTerms } = await import('../app/approvals/remember-terms.ts');
  try {
    const now = parts.now?.() ?? new Date();
    const remember = rememberRequestOf({ scope, ...words }, now);
    if (remember) rememberTerms(remember, approval, now);
    return { ...given, remember };
  } catch (error) {
    parts.io.stderr(`  ${messageOf(error)}\n`);
    return 'again';
  }
}

/** To what, until when, how often; undefined where the input ended. */
async function askHow(approval: Approval, prompt: Prompt) {
  const proposal = proposePattern(approval);
  const pattern = await prompt.read(
    `  To what? (Enter = ${proposal ?? 'this very request'}${proposal ? ', . = this very request' : ''}) `,
  );
  const until =
    pattern === undefined
      ? undefined
      : await prompt.read('  Until? (2027-01-31, 7d; Enter = no end) ');
  const times =
    until === undefined ? undefined : await prompt.read('  How many times? (Enter = any) ');
  if (pattern === undefined || until === undefined || times === undefined) return undefined;
  return {
    pattern: pattern.trim() === '.' ? undefined : pattern.trim() || proposal,
    until: until.trim() || undefined,
    times: times.trim() || undefined,
  };
}

async function showWhoAnswered(
  approval: Approval,
  { io, rowOf }: ApproverParts,
  shown: Set<string>,
): Promise<void> {
  const row = await rowOf(approval.id);
  if (!row || row.status === 'pending') return;
  shown.add(row.id);
  io.stderr(`  Question closed: ${approvalStatus(row)}.\n`);
}

function showThatItStaysOpen(approval: Approval, io: CommandIo): void {
  const commands = answerCommands(approval).map((command) => `    ${command}\n`);
  io.stderr(`  The question stays open; it can be answered elsewhere:\n${commands.join('')}`);
}
