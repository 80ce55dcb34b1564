import type { AnswerRequest } from '../../app/approvals/answer-approval.ts';
import { proposePattern } from '../../app/approvals/propose-pattern.ts';
import type { Capstan } from '../../app/open-capstan.ts';
import type { Approval, ApprovalAnswer } from '../../contract/approval.ts';
import { failedWith, messageOf } from '../../contract/errors.ts';
import type { CapstanEvent } from '../../contract/event.ts';
import { answerAction } from '../../contract/next.ts';
import { approvalStatus } from '../../contract/text/approval-status.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import type { CommandIo } from '../command.ts';
import { answerCommands } from '../errors/next-command.ts';
import { printError } from '../errors/print-error.ts';
import { openPrompt, type Prompt } from '../io/terminal-prompt.ts';
import type { Style } from '../text/style.ts';
import {
  approvalBlock,
  missingChoice,
  personAnswer,
  personPrompt,
  personQuestionBlock,
} from './approval-block.ts';
import { type Key, keysOf, spelledOut } from './approval-keys.ts';

interface ApproverParts {
  readonly io: CommandIo;
  readonly style: Style;
  readonly approvals: Pick<Capstan['approvals'], 'get' | 'answer'>;
  readonly now?: () => Date;
}

type Given = AnswerRequest | undefined;

/** Answers the questions of runs at this terminal, one at a time, and asks again after an invalid answer. */
export function createTerminalApprover(parts: ApproverParts) {
  const { io, approvals } = parts;
  const shown = new Set<string>();
  /** The questions that are asked. Aborted when one is answered elsewhere or its run stops waiting. */
  const asked = new Map<string, AbortController>();
  let last: Promise<unknown> = Promise.resolve();
  let open: Prompt | undefined;

  const askOne = async (approval: Approval, signal: AbortSignal): Promise<Given> => {
    if (signal.aborted) return undefined;
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
  /** Asks one question; undefined if the input ended or `signal` was aborted. */
  const ask = (approval: Approval, signal: AbortSignal): Promise<Given> => {
    const mine = last.then(() => askOne(approval, signal));
    last = mine.catch(() => undefined);
    return mine;
  };
  /** Writes to stderr above the line being typed. */
  const stderr = (text: string) => (open ? open.aside(() => io.stderr(text)) : io.stderr(text));
  const answer = async (id: string): Promise<void> => {
    const closed = new AbortController();
    asked.set(id, closed);
    try {
      const approval = await approvals.get(id);
      while (
        await isAnswerInvalid(approval, await ask(approval, closed.signal), { approvals, stderr })
      );
    } catch (error) {
      printError({ stderr }, error);
    }
  };
  const close = (id: string) => {
    asked.get(id)?.abort();
    asked.delete(id);
  };

  return {
    ask,
    stderr,
    /** Asks each question of a run as it opens, and closes the prompt when it is answered elsewhere. */
    onEvent(event: CapstanEvent): void {
      if (event.type === 'approval.asked') {
        close(event.approval_id);
        void answer(event.approval_id);
      } else if (event.type === 'approval.decided') close(event.approval_id);
      else if (event.type === 'run.ended') [...asked.keys()].forEach(close);
    },
    /** Whether this terminal has shown who answered the question elsewhere. */
    hasShown: (id: string) => shown.has(id),
  };
}

/** Sends the answer. True if it is invalid, for example if its pattern does not match the request. */
async function isAnswerInvalid(
  { id, binding }: Approval,
  given: Given,
  { approvals, stderr }: Pick<ApproverParts, 'approvals'> & Pick<CommandIo, 'stderr'>,
): Promise<boolean> {
  if (!given) return false;
  try {
    await approvals.answer(id, { ...given, binding });
    return false;
  } catch (error) {
    if (failedWith(error, 'APPROVAL_CLOSED')) return false;
    if (!failedWith(error, 'USAGE')) throw error;
    printError({ stderr }, error, []);
    return true;
  }
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
    io.stderr(notAnAnswer(line, approval.choices));
  }
}

function notAnAnswer(line: string, choices: readonly string[] = []): string {
  const words = line.trim();
  if (words === '') return '';
  const problem = `"${escapeText(words)}" is not an answer to this question`;
  return `  ${missingChoice(words, choices) ?? problem}.\n`;
}

async function converse(approval: Approval, prompt: Prompt, parts: ApproverParts): Promise<Given> {
  const keys = keysOf(approval);
  let isAllSeen = show(approval, true, parts);
  for (;;) {
    const line = await prompt.read(promptOf(keys, parts.style));
    if (line === undefined) return undefined;
    const key = keyOf(line, keys);
    if (key?.does === 'answer' && (isAllSeen || !consents.has(key.answer))) {
      const given = await withRememberTerms(key, approval, prompt, parts);
      if (given !== 'again') return given;
    } else {
      isAllSeen = explainOrShow(line, key, approval, parts) || isAllSeen;
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

/** Handles input that is not an accepted answer. Returns whether it showed the full request. */
function explainOrShow(
  line: string,
  key: Key | undefined,
  approval: Approval,
  parts: ApproverParts,
): boolean {
  const isShown = key !== undefined && key.does !== 'explain';
  if (isShown) show(approval, false, parts);
  else parts.io.stderr(key ? explain(keysOf(approval)) : notAnAnswer(line));
  if (key?.does === 'answer') parts.io.stderr('  That is the full request. Answer again.\n');
  return isShown;
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

/** Adds the terms for remembering the answer; `again` if they are invalid. */
async function withRememberTerms(
  { answer, scope, note }: Extract<Key, { does: 'answer' }>,
  approval: Approval,
  prompt: Prompt,
  parts: ApproverParts,
): Promise<Given | 'again'> {
  const given = { answer, by: 'terminal', ...(note !== undefined && { note }) };
  if (!scope) return given;
  if (/^(terminal|python_exec)\./.test(approval.operation)) parts.io.stderr(REQUEST_ONLY);
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

const REQUEST_ONLY =
  '  A remembered answer matches the request only, whatever the files that it names contain then.\n';

async function askRememberTerms(approval: Approval, prompt: Prompt) {
  const proposal = proposePattern(approval);
  const questions = [
    `  Pattern? (Enter = ${proposal ?? 'only this request'}${proposal ? ', . = only this request' : ''}) `,
    '  Until? (2027-01-31, 7d; Enter = 30 days) ',
    '  How many times? (Enter = no limit) ',
  ];
  const answers: string[] = [];
  for (const question of questions) {
    const line = await prompt.read(question);
    if (line === undefined) return undefined;
    answers.push(line.trim());
  }
  const [pattern, until, times] = answers;
  return {
    pattern: pattern === '.' ? undefined : pattern || proposal,
    until: until || undefined,
    times: times || undefined,
  };
}

async function showWhoAnswered(
  approval: Approval,
  { io, approvals }: ApproverParts,
  shown: Set<string>,
): Promise<void> {
  const row = await approvals.get(approval.id);
  if (row.status === 'pending') return;
  shown.add(row.id);
  io.stderr(`  Question closed: ${approvalStatus(row)}.\n`);
}

function showHowToAnswerLater(approval: Approval, io: CommandIo): void {
  const commands = answerCommands(answerAction(approval)).map((command) => `    ${command}\n`);
  io.stderr(`${STAYS_OPEN}\n${commands.join('')}`);
}

const STAYS_OPEN =
  '  The question stays open, and the run waits (Ctrl-C parks it). Answer from any terminal:';
