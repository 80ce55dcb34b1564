import type { EffectDocument, PartDocument, RunAccount } from '../../app/runs/show/run-account.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import { shortTime } from '../../contract/text/short-time.ts';
import { tierOf } from '../approval/approval-block.ts';
import { isContent } from './change-text.ts';
import { counted, formatCost, formatDuration, headedTable, titled } from './format.ts';
import { shortId } from './short-id.ts';
import { shorten } from './shorten.ts';

/** Longest operation in one line, in characters; a program is shown in full below it. */
const MAX_HEAD_CHARS = 400;

/** Limits of lines for one file and for all files, and of files of one effect. `isFull` turns them off. */
const MAX_LINES_PER_FILE = 40;
const MAX_LINES = 400;
const MAX_FILES = 20;

/** Capsules, effects and questions of a run as text. Says how many lines were left out. */
export function accountText(account: RunAccount, { isFull }: { readonly isFull: boolean }): string {
  const { composition, effects, read_only, approvals } = account;
  const head = ['capsule', 'subtask', 'outcome', 'attempts', 'took', 'cost'];
  return [
    titled('Capsules', headedTable(head, composition.map(partRow), '')),
    titled('Read-only commands', effectsText(read_only, isFull)),
    titled('Effects', effectsText(effects, isFull)),
    titled('Questions', approvals.map(questionText).join('')),
  ].join('');
}

const partRow = (part: PartDocument): readonly string[] => [
  escapeText(part.capsule_id),
  escapeText(part.subtask_id),
  part.outcome,
  part.attempts.map(attemptText).join(', '),
  formatDuration(part.duration_ms),
  formatCost(part.cost_usd),
];

const attemptText = (attempt: PartDocument['attempts'][number]): string => {
  const { number, status, reason, error } = attempt;
  const why = error?.code ?? reason;
  return why === null ? `${number} ${status}` : `${number} ${status} (${escapeText(why)})`;
};

function effectsText(effects: readonly EffectDocument[], isFull: boolean): string {
  let left = isFull ? Number.POSITIVE_INFINITY : MAX_LINES;
  return effects
    .map((effect) => {
      const files = isFull ? effect.files : effect.files.slice(0, MAX_FILES);
      const shown = [programText, ...files.map(fileText)].map((textUpTo) => {
        const maxLines = isFull ? left : Math.min(left, MAX_LINES_PER_FILE);
        const { text, lines } = textUpTo(maxLines, effect);
        left -= lines;
        return text;
      });
      const output = isFull && effect.output !== null ? effect.output.split('\n') : [];
      const more = moreText(effect.files.length - files.length);
      return `${headOf(effect)}${shown.join('')}${more}${linesText(output, left).text}`;
    })
    .join('');
}

const moreText = (count: number): string =>
  count === 0
    ? ''
    : `        … and ${counted(count, 'more file')} (capstan runs diff shows them)\n`;

function headOf(effect: EffectDocument): string {
  const { status, what, tier, capsule_id, subtask_id, approved_by, number } = effect;
  const by = approved_by === null ? '' : `; approved by ${escapeText(approved_by)}`;
  const who = `${escapeText(capsule_id)}, ${escapeText(subtask_id)}, request ${number}`;
  return `${status.padEnd(8)}${shorten(what.split('\n')[0] ?? '', MAX_HEAD_CHARS)}  (${tierOf({ operation: what, tier })}; ${who}${by})\n`;
}

/** A text and the number of its lines without the head. */
type Shown = ReturnType<typeof linesText>;

/** A program that the head does not show in full. */
function programText(maxLines: number, { program, what }: EffectDocument): Shown {
  const isInHead =
    program === null ||
    (what.endsWith(program) && !program.includes('\n') && what.length <= MAX_HEAD_CHARS);
  return isInHead ? { text: '', lines: 0 } : linesText(program.trimEnd().split('\n'), maxLines);
}

const fileText =
  ({ path, before, after, diff, by }: EffectDocument['files'][number]) =>
  (maxLines: number): Shown => {
    const change = before === 'absent' ? 'new file' : after === 'absent' ? 'removed' : 'changed';
    const why =
      by === 'program' ? 'capstan runs diff shows how' : 'no diff: not text, or too large';
    const head = `        ${change} ${escapeText(path)}`;
    if (diff === null) return { text: `${head} (${why})\n`, lines: 0 };
    const { text, lines } = linesText(diff.trimEnd().split('\n').filter(isContent), maxLines);
    return { text: `${head}\n${text}`, lines };
  };

function linesText(all: readonly string[], maxLines: number) {
  const shown = all.slice(0, Math.max(0, maxLines));
  const rest = all.length - shown.length;
  const more = rest > 0 ? [`… ${counted(rest, 'more line')} (--full shows all)`] : [];
  const lines = [...shown, ...more].map((line) => `        │ ${escapeText(line, true)}\n`);
  return { text: lines.join(''), lines: shown.length };
}

function questionText(approval: RunAccount['approvals'][number]): string {
  const { kind, question, status, answer, answeredBy, answeredAt, note, id } = approval;
  const by = answeredBy === null ? '' : ` by ${escapeText(answeredBy)}`;
  const at = answeredAt === null ? '' : `, ${shortTime(answeredAt)}`;
  const words = note ? `, saying "${escapeText(note)}"` : '';
  const given = kind === 'question' && answer !== null ? `"${escapeText(answer)}"` : answer;
  const outcome = given ?? (status === 'pending' ? 'waits' : 'expired');
  return `${`${outcome} `.padEnd(8)}${escapeText(question)}  (${shortId(id)}${by}${at}${words})\n`;
}
