import type { AnswerRequest } from '../../app/approvals/answer-approval.ts';
import { proposePattern } from '../../app/approvals/propose-pattern.ts';
import type { Approval, ApprovalAnswer } from '../../contract/approval.ts';
import { messageOf } from '../../contract/errors.ts';
import { answerAction } from '../../contract/next.ts';
import { approvalStatus } from '../../contract/text/approval-status.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import type { CommandIo } from '../command.ts';
import { answerCommands } from '../errors/next-command.ts';
import { openPrompt, type Prompt } from '../io/terminal-prompt.ts';
import type { Style } from '../text/style.ts';
import { approvalBlock } from './approval-block.ts';
import { type Key, keysOf, spelledOut } from './approval-keys.ts';
import { personAnswer, personPrompt, personQuestionBlock } from './person-question.ts';

export interface ApproverParts {
  readonly io: CommandIo;
  readonly style: Style;
  /** The current row of a question, to show who answered it elsewhere. */
  rowOf(id: string): Approval | undefined | Promise<Approval | undefined>;
  readonly now?: () => Date;
}

type Given = AnswerRequest | undefined;

export type TerminalApprover = ReturnType<typeof createTerminalApprover>;

/** Asks questions at this terminal, one at a time, and again after an invalid answer. */
export function createTerminalApprover(parts: ApproverParts) {
  const shown = new Set<string>();
  let last: Promise<unknown> = Promise.resolve();
  let open: Prompt | undefined;

  const askOne = async (approval: Approval, signal: AbortSignal): Promise<Given> => {
    if (signal.aborted) return undefined;
    const { io } = parts;
    const prompt = openPrompt(io, signal);
    open = prompt;
    try {
      const talk = approval.kind === 'question' ? askInWords : converse;
      const given = await talk(approval, prompt, parts);
      if (given) return given;
      if (signal.aborted) await showWhoAnswered(approval, parts, shown);
      else showHowToAnswerLater(approval, io);
      return undefined;
    } finally {
      open = undefined;
      prompt.close();
    }
  };

  return {
    /** Asks one question; undefined if the input ended or `signal` was aborted. */
    ask(approval: Approval, signal: AbortSignal): Promise<Given> {
      const mine = last.then(() => askOne(approval, signal));
      last = mine.catch(() => undefined);
      return mine;
    },
    /** Whether a question is on the screen. */
    isAsking: () => open !== undefined,
    /** Whether this terminal has shown who answered the question elsewhere. */
    hasShown: (id: string) => shown.has(id),
    /** Wraps a writer so that its output appears above the line being typed. */
    beside: (write: (text: string) => void) => (text: string) =>
      open ? open.aside(() => write(text)) : write(text),
  };
}

/** Asks a capsule's question. Nothing is preselected, and an empty line is not an answer. */
async function askInWords(
  approval: Approval,
  prompt: Prompt,
  { io, style, now = () => new Date() }: ApproverParts,
): Promise<Given> {
  io.stderr(`\n${personQuestionBlock(approval, { style, now: now() })}`);
  for (;;) {
    const line = await prompt.read(`  ${style.bold(personPrompt(approval))}`);
    if (line === undefined) return undefined;
    const answer = personAnswer(line, approval);
    if (answer !== undefined) return { answer, by: 'terminal' };
    if (line.trim() !== '') io.stderr(notAnAnswer(line));
  }
}

const notAnAnswer = (line: string): string =>
  `  "${escapeText(line.trim())}" is not an answer to this question.\n`;

async function converse(approval: Approval, prompt: Prompt, parts: ApproverParts): Promise<Given> {
  const keys = keysOf(approval);
  let isAllSeen = show(approval, true, parts);
  for (;;) {
    const line = await prompt.read(promptOf(keys, parts.style));
    if (line === undefined) return undefined;
    const key = keyOf(line, keys);
    if (key?.does === 'answer' && (isAllSeen || !consents.has(key.answer))) {
      const given = await withRememberTerms(key, approval, { prompt, parts });
      if (given !== 'again') return given;
    } else {
      isAllSeen = explainOrShow(line, key, { approval, keys, parts }) || isAllSeen;
    }
  }
}

/** Answers that are accepted only after the full request was shown. */
const consents: ReadonlySet<ApprovalAnswer> = new Set(['approve', 'do_it']);

/** Returns whether the full request was shown. */
function show(approval: Approval, isFolded: boolean, parts: ApproverParts): boolean {
  const { io, style, now = () => new Date() } = parts;
  const { text, folded } = approvalBlock(approval, { style, now: now(), isFolded });
  io.stderr(`\n${text}`);
  return folded === undefined;
}

interface QuestionContext {
  readonly approval: Approval;
  readonly keys: ReadonlyMap<string, Key>;
  readonly parts: ApproverParts;
}

/** Handles input that is not an accepted answer. Returns whether it showed the full request. */
function explainOrShow(
  line: string,
  key: Key | undefined,
  { approval, keys, parts }: QuestionContext,
): boolean {
  const { io } = parts;
  if (key && key.does !== 'explain') {
    show(approval, false, parts);
    if (key.does === 'answer') io.stderr('  That is the full request. Answer again.\n');
    return true;
  }
  if (key) io.stderr(explain(keys));
  else if (line.trim() !== '') io.stderr(notAnAnswer(line));
  return false;
}

/** `n <why>` denies with a reason. */
function keyOf(line: string, keys: ReadonlyMap<string, Key>): Key | undefined {
  const word = line.trim().toLowerCase();
  const no = keys.get('n');
  const note = /^n\s+(\S.*)$/i.exec(line.trim())?.[1];
  if (note !== undefined && no?.does === 'answer' && no.answer === 'deny') return { ...no, note };
  return keys.get(spelledOut.get(word) ?? word);
}

/** Short enough for one line of a terminal. */
function promptOf(keys: ReadonlyMap<string, Key>, { bold }: Style): string {
  const isChoice = keys.has('1');
  const asked = keys.has('y') ? 'Approve?' : isChoice ? 'Which one?' : 'What happened?';
  return `  ${bold(asked)} ${[...keys.keys()].join('/')}: `;
}

const explain = (keys: ReadonlyMap<string, Key>): string =>
  [...keys].map(([key, { words }]) => `    ${key}  ${words}\n`).join('');

interface Conversation {
  readonly prompt: Prompt;
  readonly parts: ApproverParts;
}

/** Adds the terms for remembering the answer; `again` if they are invalid. */
async function withRememberTerms(
  { answer, scope, note }: Extract<Key, { does: 'answer' }>,
  approval: Approval,
  { prompt, parts }: Conversation,
): Promise<Given | 'again'> {
  const given = { answer, by: 'terminal', ...(note !== undefined && { note }) };
  if (!scope) return given;
  if (isCommand(approval)) parts.io.stderr(REQUEST_ONLY);
  const words = scope === 'run' ? {} : await askRememberTerms(approval, prompt);
  if (!words) return undefined;
  const { rememberRequestOf } = await import('./remember-words.ts');
  const { rememberTerms } = await import('../../app/approvals/remember-terms.ts');
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

const isCommand = ({ operation }: Approval): boolean => /^(terminal|python_exec)\./.test(operation);

const REQUEST_ONLY =
  '  A remembered answer matches the request only, whatever the files that it names contain then.\n';

/** Asks for pattern, end and number of uses; undefined if the input ended. */
async function askRememberTerms(approval: Approval, prompt: Prompt) {
  const proposal = proposePattern(approval);
  const pattern = await prompt.read(
    `  Pattern? (Enter = ${proposal ?? 'only this request'}${proposal ? ', . = only this request' : ''}) `,
  );
  const until =
    pattern === undefined
      ? undefined
      : await prompt.read('  Until? (2027-01-31, 7d; Enter = 30 days) ');
  const times =
    until === undefined ? undefined : await prompt.read('  How many times? (Enter = no limit) ');
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

function showHowToAnswerLater(approval: Approval, io: CommandIo): void {
  const commands = answerCommands(answerAction(approval)).map((command) => `    ${command}\n`);
  io.stderr(
    `  The question stays open, and the run waits (Ctrl-C parks it). Answer from any terminal:\n${commands.join('')}`,
  );
}
