import type { Approval } from '../../../contract/approval.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { costOf, tierOf } from '../../approval/approval-block.ts';
import type { QuestionKey } from '../../approval/question-keys.ts';
import { formatDuration } from '../../text/format.ts';
import { folderText } from '../../text/short-folder.ts';
import { shortId } from '../../text/short-id.ts';
import { drawDiff } from '../draw/draw-diff.ts';
import { fixed, namedLines, wrapProse } from '../draw/wrap-prose.ts';
import type { Frame } from '../frame.ts';

export interface QuestionTextOptions {
  readonly frame: Frame;
  readonly home: string | undefined;
  /** `1 of 3 `; empty if no other question is open. */
  readonly place: string;
  readonly now: Date;
  /** Commands have the rights of the person. Default: false. */
  readonly isUnsandboxed?: boolean;
}

/** A printed question: its title, then the full request, then the reason. */
export type QuestionText = ReturnType<typeof questionText>;

/** Formats a question. Text of capsules, files and tools is escaped. */
export function questionText(approval: Approval, options: QuestionTextOptions) {
  const { frame, place, now } = options;
  const [ask, rest] = splitQuestion(titleOf(approval));
  const isPerson = approval.kind === 'question';
  const { style, symbols, width } = frame;
  const title = wrapProse(`${place}${escapeText(ask)}`, width, `${symbols.question} `);
  const paint = (line: string) => style.bold(isPerson ? style.cyan(line) : style.yellow(line));
  const why = [rest, isPerson ? WARNING : whyOf(approval), deadlineOf(approval, now)].filter(
    (one) => one !== '',
  );
  return {
    title: title.map(paint),
    /** Lines of any length. `y` works only after all of them were shown. */
    body: [...bodyOf(approval, options), ...choiceLines(approval, frame)],
    /** One or more grey lines, printed together. */
    why: wrapProse(why.map((one) => escapeText(one)).join(' '), width - 2).map((line) =>
      style.dim(`  ${line}`),
    ),
  };
}

const WARNING = 'Do not type keys or passwords: the capsule reads the answer.';

/** The title of a question. A command is shown in the body, so its title only says what the program may do at worst. */
function titleOf({ question, kind, operation, capsuleId }: Approval): string {
  if (kind !== 'tool' && kind !== 'changed_file') return question;
  const sends = /^Allow \S+ to run a [a-z ]+ that may send what it reads to .+?(?=: )/s.exec(
    question,
  );
  if (sends && operation.startsWith('terminal.')) return `${sends[0]}?`;
  if (operation === 'terminal.write')
    return `Allow ${capsuleId} to run a program that may change files?`;
  return operation.startsWith('terminal.') ? `Allow ${capsuleId} to run a program?` : question;
}

/** Splits a question after its question mark, if it is about the run. The rest is printed below. */
function splitQuestion(question: string): readonly [string, string] {
  const line = question.replace(/\s+/g, ' ').trim();
  const end = /^Allow this run to [^?]*\?/.exec(line)?.[0].length ?? line.length;
  return [line.slice(0, end), line.slice(end).trim()];
}

function whyOf({ why, isForced }: Approval): string {
  if (why === '') return '';
  const sentence = why.replace(/\s+/g, ' ').trim();
  return isForced
    ? `${sentence} Only you can answer this, each time.`
    : `Asked because${/^(?:It|Its|The|An?|Several|No) /.test(sentence) ? ` ${lowered(sentence)}` : `: ${sentence}`}`;
}

const lowered = (sentence: string): string =>
  `${sentence.slice(0, 1).toLowerCase()}${sentence.slice(1)}`;

function deadlineOf({ expiresAt }: Approval, now: Date): string {
  if (expiresAt === null) return '';
  const leftMs = Date.parse(expiresAt) - now.getTime();
  return leftMs > 0
    ? `Without an answer it is denied in ${formatDuration(leftMs)}.`
    : 'It has expired.';
}

function bodyOf(approval: Approval, options: QuestionTextOptions): readonly string[] {
  const { frame } = options;
  const { details, kind } = approval;
  if (details === '') return [];
  const isTool = kind === 'tool' || kind === 'changed_file';
  // Our own sentences about money, not a request that must stay as it is.
  if (kind === 'spend')
    return wrapProse(escapeText(details, true), frame.width - 2).map((line) => `  ${line}`);
  if (!isTool) return plainLines(details);
  const lines = withoutHead(details.split('\n'), approval);
  const command = commandOf(lines, approval);
  if (command) return commandLines(command, approval, options);
  const at = lines.findIndex((line) => DIFF_START.test(line));
  const hasContent = lines.some((line, index) => CONTENT.test(line) && (at < 0 || index < at));
  if (at < 0 || hasContent) return plainLines(lines.join('\n'));
  return [
    ...lines.slice(0, at).flatMap(plainLines),
    ...drawDiff(lines.slice(at).join('\n'), frame),
  ];
}

const DIFF_START = /^(?:Index: |={60,}$|--- |@@ -)/;
/** After such a line comes the text of a file or a request, not a diff. */
const CONTENT = /^(?:new content|puts in|by|runs .*):$/;

/** Removes the operation and the path, which the title already names. */
function withoutHead(lines: readonly string[], { operation, target }: Approval): readonly string[] {
  const [first = '', second = ''] = lines;
  if (!first.startsWith(`${operation} (tier `)) return lines;
  return second === `writes ${JSON.stringify(target)}` ? lines.slice(2) : lines.slice(1);
}

interface Command {
  /** As it is shown: `$ npm test`; `runs in a shell:`, whose text is in `after`. */
  readonly head: string | readonly string[];
  readonly cwd: string;
  /** The lines before it, such as the hosts that it may reach. */
  readonly before: readonly string[];
  /** The lines after it. They may imitate any other line. */
  readonly after: readonly string[];
}

/** Parses a command. Returns undefined if there is none. */
function commandOf(lines: readonly string[], { operation }: Approval): Command | undefined {
  if (!/^(?:terminal|python_exec)\./.test(operation)) return undefined;
  const index = lines.findIndex((line) => ARGV.test(line) || PROGRAM.test(line));
  const line = lines[index] ?? '';
  const [, argv, argvFolder] = ARGV.exec(line) ?? [];
  const [, program = '', folder = argvFolder] = PROGRAM.exec(line) ?? [];
  if (folder === undefined) return undefined;
  try {
    const head = argv === undefined ? `runs ${program}:` : (JSON.parse(argv) as string[]);
    const around = { before: lines.slice(0, index), after: lines.slice(index + 1) };
    return { head, cwd: JSON.parse(folder), ...around };
  } catch {
    return undefined;
  }
}

const ARGV = /^runs (\[".*"\]) in (".*")$/;
const PROGRAM = /^runs (in a shell|Python), in (".*"):$/;

function commandLines(
  { head, cwd, before, after }: Command,
  { operation, workspace }: Approval,
  { frame, home, isUnsandboxed = false }: QuestionTextOptions,
): readonly string[] {
  const { style, symbols } = frame;
  const folder = cwd === '.' || cwd === '' ? workspace : cwd;
  const limits = [
    ...(operation.endsWith('.write') ? [`can write in ${folderText(workspace, home)}`] : []),
    ...(before.some((line) => line.startsWith('may send')) ? [] : ['no network']),
  ];
  const facts = [
    `in ${folderText(folder, home)}`,
    ...(isUnsandboxed ? ['no sandbox: it has your rights'] : limits),
  ];
  const where = wrapProse(facts.map(fixed).join(symbols.separator), frame.width - 2);
  const shown = where.map((line) => `  ${line}`);
  const others = [before, after].map((lines) => lines.flatMap(plainLines));
  if (typeof head === 'string')
    return [...shown, ...(others[0] ?? []), `  ${head}`, ...(others[1] ?? [])];
  const typed = `  $ ${style.bold(escapeText(head.map(shellWord).join(' ')))}`;
  return [typed, ...shown, ...others.flat()];
}

const shellWord = (word: string): string =>
  /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

const plainLines = (text: string): readonly string[] =>
  escapeText(text.replaceAll('\t', '    '), true)
    .split('\n')
    .map((line) => (line === '' ? '' : `  ${line}`));

/** Draws the choices with their digits. */
function choiceLines({ kind, choices, freeText }: Approval, { style }: Frame): readonly string[] {
  if (kind === 'question') {
    if (choices.length === 0) return [];
    const all = choices.map(
      (choice, index) => `${style.bold(String(index + 1))} ${escapeText(choice)}`,
    );
    return [`  ${[...all, ...(freeText ? ['or your own words'] : [])].join('   ')}`];
  }
  if (!choices.some((choice) => choice.startsWith('capsule:'))) return [];
  return choices.map(
    (choice, index) =>
      `  ${style.bold(String(index + 1))} ${escapeText(choice.replace(/^capsule:/, ''))}`,
  );
}

/** Draws the output of `e`: the effect of allowing, the reason, the capsule's words, tier, cost and full ids. */
export function explainLines(approval: Approval, frame: Frame): string[] {
  const {
    capsuleId,
    capsuleReason,
    operation,
    target,
    why,
    isForced,
    id,
    runId,
    workspace,
    subtaskId,
  } = approval;
  const facts: readonly (readonly [string, string])[] = [
    [
      'effect',
      `performs ${operation} ${target} once${isForced ? '; cannot be allowed always' : ''}`,
    ],
    ['why', why],
    ['tier', `${tierOf(approval)}, ${costOf(approval)}`],
    ['step', `${subtaskId || 'the run itself'}, of ${capsuleId}`],
    ['folder', workspace],
    ...(capsuleReason === ''
      ? []
      : [['its words', `"${capsuleReason}" (${capsuleId} wrote this)`] as const]),
    ['run', `${shortId(runId)} (${runId})`],
    ['id', id],
    ['binding', approval.binding],
  ];
  const shown = facts.map(
    ([name, value]) => [name, escapeText(value.replace(/\s+/g, ' '))] as const,
  );
  return namedLines(shown, frame, frame.style.dim);
}

/** Draws the help that `?` prints: every key with its effect. */
export const helpLines = (keys: readonly QuestionKey[], frame: Frame): string[] =>
  namedLines(
    [
      ...keys.map(({ key, help }) => [key, escapeText(help)] as const),
      ['Space', 'shows more of a long request'],
      ['Ctrl-O', 'opens all of it in your pager'],
    ],
    frame,
  );
