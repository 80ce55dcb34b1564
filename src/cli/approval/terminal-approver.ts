import type { AnswerRequest } from '../../app/approvals/answer-approval.ts';
import type { RememberRequest } from '../../app/approvals/remember-terms.ts';
import type { Capstan } from '../../app/open-capstan.ts';
import type { Approval } from '../../contract/approval.ts';
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
import { needsAll, type QuestionKey, questionKeys } from './question-keys.ts';

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
  const keys = questionKeys(approval);
  const state = { keys, isAllSeen: show(approval, true, parts) };
  parts.io.stderr(helpOf(keys.filter(({ key }) => /\d/.test(key))));
  for (;;) {
    const line = await prompt.read(promptOf(approval, keys, parts.style));
    if (line === undefined) return undefined;
    const given = await take(line, state, { approval, prompt, parts });
    if (given !== 'again') return given;
  }
}

interface Conversation {
  readonly approval: Approval;
  readonly prompt: Prompt;
  readonly parts: ApproverParts;
}

/** Takes a line as an answer, or explains; `again` if the question is still open. */
async function take(
  line: string,
  state: { readonly keys: readonly QuestionKey[]; isAllSeen: boolean },
  { approval, prompt, parts }: Conversation,
): Promise<Given | 'again'> {
  const does = typedAction(line, state.keys);
  if (does?.kind === 'skip') return undefined;
  if (isAnswer(does) && (state.isAllSeen || !needsAll(does)))
    return answerOf(does, approval, prompt, parts);
  state.isAllSeen = explainOrShow(does, line, approval, parts) || state.isAllSeen;
  return 'again';
}

/** Returns whether the full request was shown. */
function show(approval: Approval, isFolded: boolean, parts: ApproverParts): boolean {
  const { io, style, now = () => new Date() } = parts;
  const { text, folded } = approvalBlock(approval, { style, now: now(), isFolded });
  io.stderr(`\n${text}`);
  return folded === undefined;
}

/** Handles input that is not an accepted answer. Returns whether it showed the full request. */
function explainOrShow(
  does: Does | undefined,
  line: string,
  approval: Approval,
  parts: ApproverParts,
): boolean {
  const isShown = isAnswer(does) || does?.kind === 'explain';
  if (isShown) show(approval, false, parts);
  else parts.io.stderr(does ? helpOf(questionKeys(approval)) : notAnAnswer(line));
  if (isAnswer(does)) parts.io.stderr('  That is the full request. Answer again.\n');
  return isShown;
}

type Note = { readonly kind: 'note'; readonly note?: string };
type Does = QuestionKey['does'] | Note;
type AnswerDoes = Extract<QuestionKey['does'], { readonly answer: unknown }> | Note;

const isAnswer = (does: Does | undefined): does is AnswerDoes =>
  does !== undefined && /^(?:answer|always|note)$/.test(does.kind);

/** Undefined if the line is no key and no word for one. `n <why>` denies with a reason. */
function typedAction(line: string, keys: readonly QuestionKey[]): Does | undefined {
  const typed = line.trim();
  const note = /^n\s+(\S.*)$/i.exec(typed)?.[1];
  const key = note === undefined ? (words.get(typed.toLowerCase()) ?? typed) : 'm';
  const does = keys.find((one) => one.key === key)?.does;
  return does?.kind === 'note' ? { kind: 'note', ...(note !== undefined && { note }) } : does;
}

/** Words that can be typed instead of a key. */
const words: ReadonlyMap<string, string> = new Map([
  ['yes', 'y'],
  ['no', 'n'],
  ['help', '?'],
]);

/** Short enough for one line of a terminal. */
function promptOf({ kind }: Approval, keys: readonly QuestionKey[], { bold }: Style): string {
  const isChoice = keys.some(({ key }) => key === '1');
  const choice = kind === 'unknown' ? 'What happened?' : 'Which one?';
  return `  ${bold(isChoice ? choice : 'Approve?')} ${keys.map(({ key }) => key).join('/')}: `;
}

const helpOf = (keys: readonly QuestionKey[]): string =>
  keys.map(({ key, help }) => `    ${key}  ${escapeText(help)}\n`).join('');

/** Asks for the reason of a denial, or the terms of a remembered answer; `again` if they are invalid. */
async function answerOf(
  does: AnswerDoes,
  approval: Approval,
  prompt: Prompt,
  parts: ApproverParts,
): Promise<Given | 'again'> {
  const by = 'terminal';
  if (does.kind === 'answer') return { answer: does.answer, by };
  if (does.kind === 'always') {
    const remember = await askTerms(approval, prompt, parts);
    return typeof remember === 'object' ? { answer: does.answer, by, remember } : remember;
  }
  const note = does.note ?? (await prompt.read('  Why? (the capsule reads it) '))?.trim();
  return note === undefined ? undefined : { answer: 'deny', by, ...(note !== '' && { note }) };
}

async function askTerms(
  approval: Approval,
  prompt: Prompt,
  { io, now = () => new Date() }: ApproverParts,
): Promise<RememberRequest | undefined | 'again'> {
  if (/^(terminal|python_exec)\./.test(approval.operation)) io.stderr(REQUEST_ONLY);
  const { rememberRequestOf, typedTerms } = await import('./remember-words.ts');
  const typed = await typedTerms(approval, prompt);
  if (!typed || typed === 'again') return typed;
  const { rememberTerms } = await import('../../app/approvals/remember-terms.ts');
  try {
    const remember = rememberRequestOf(typed, now());
    if (remember) rememberTerms(remember, approval, now());
    return remember;
  } catch (error) {
    io.stderr(`  ${messageOf(error)}\n`);
    return 'again';
  }
}

const REQUEST_ONLY =
  '  A remembered answer matches the request only, whatever the files that it names contain then.\n';

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
