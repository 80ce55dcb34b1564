import type { RunDetails } from '../../../app/runs/show/get-run.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { oneLine } from '../../lists/cell-text.ts';
import { runColumns, runTitle } from '../../lists/columns/run-columns.ts';
import { stateSymbol, stateWords } from '../../lists/run-state.ts';
import { accountText } from '../../text/account-text.ts';
import { shortId } from '../../text/short-id.ts';
import { shorten } from '../../text/shorten.ts';
import { printDiff } from '../commands/print-diff.ts';
import { drawMarkdown } from '../draw/draw-markdown.ts';
import type { Frame } from '../frame.ts';
import type { MenuContext } from '../program/create-context.ts';
import { endLines } from '../run/result-lines.ts';
import { cutEnd } from '../terminal/text-width.ts';
import { openList } from './list/open-list.ts';

const LIMIT = 200;
const REFRESH_MS = 1_000;

/** `/runs`: the runs of this folder. `a` shows those of all folders. */
export function openRuns(context: MenuContext): void {
  const { capstan, conversation, workspace } = context;
  let isAll = false;
  openList(context, {
    title: (runs, frame) => runTitle(runs, isAll ? undefined : workspace, frame),
    columns: () => runColumns(isAll),
    keyOf: ({ id }) => id,
    load: () => capstan.runs.list({ limit: LIMIT, ...(isAll ? {} : { workspace }) }),
    empty: 'No runs yet. Esc, then type what to do.',
    refreshMs: REFRESH_MS,
    keys: [
      {
        key: 'enter',
        words: 'open',
        run: ({ id }, page) => printRun(page, id),
      },
      {
        key: 'f',
        words: 'follow',
        run: ({ id }) => {
          context.closeView();
          return conversation.follow(id);
        },
      },
      {
        key: 'd',
        words: 'diff',
        run: ({ id }, page) => printDiff(page, { runId: id }),
      },
      {
        key: 'r',
        isHeld: true,
        words: 'resume',
        run: ({ id }) => {
          context.closeView();
          return conversation.resume(id);
        },
      },
      {
        key: 'x',
        words: 'cancel (asks)',
        run: async ({ id, task }) => {
          const question = `Cancel ${shortId(id)} for good: ${shorten(task, 40)}?`;
          if (await context.confirm(question)) await capstan.runs.cancel(id, { by: 'terminal' });
        },
      },
      {
        key: 'a',
        words: 'all folders',
        isForAll: true,
        run: () => {
          isAll = !isAll;
        },
      },
    ],
  });
}

/** Prints a run: task, steps, answer, outcome and changes. Ctrl-O opens its commands with their output. */
async function printRun(context: MenuContext, runId: string): Promise<void> {
  const { capstan, print } = context;
  const [details, changes] = await Promise.all([
    capstan.runs.get(runId),
    capstan.runs.diff(runId).catch(() => undefined),
  ]);
  const frame = context.frame();
  const end = endLines(details.document, frame, { changes, at: 'conversation' });
  const text = ['', ...runLines(details, frame), ...end.slice(0, -1)].join('\n');
  const { effects, read_only } = details.account;
  if (effects.length + read_only.length === 0) return print(text);
  context.keepFolded(`${text}\n\n${accountText(details.account, { isFull: true })}`);
  print(`${text}\n${frame.style.dim('  Ctrl-O opens it with its commands and their output')}`);
}

/** The task, the steps and the answer; all text is escaped. */
function runLines({ run, document }: RunDetails, frame: Frame): readonly string[] {
  const { style, symbols, width } = frame;
  const head = `${symbols.prompt} ${escapeText(run.task, true)}`;
  const facts = [`run ${shortId(run.id)}`, run.provider, `sandbox ${document.isolation}`];
  const steps = document.subtasks.map((step, index) => stepLine(step, index, frame));
  const { answer, error } = document;
  const problem = error ? [`  ${escapeText(error.message, true)}`] : [];
  return [
    style.bold(head),
    style.dim(`  ${facts.map(oneLine).join(symbols.separator)}`),
    ...steps.map((line) => cutEnd(line, width, symbols)),
    ...problem,
    ...(answer ? ['', ...drawMarkdown(answer, frame)] : []),
    '',
  ];
}

type Step = RunDetails['document']['subtasks'][number];

function stepLine(step: Step, index: number, { style, symbols }: Frame): string {
  const { description, capsule_id, status, reason, error } = step;
  const list = { symbols, style, spinner: symbols.still, width: 0, now: new Date(0), home: '' };
  const symbol =
    status === 'skipped'
      ? symbols.skipped
      : status === 'waiting_approval'
        ? symbols.question
        : stateSymbol({ status }, list);
  const paint = status === 'completed' ? style.green : status === 'failed' ? style.red : style.dim;
  const words = status === 'skipped' ? 'skipped' : stateWords({ status, reason });
  const why = error === null ? words : oneLine(error.message);
  const facts = [capsule_id ?? '', status === 'waiting_approval' ? 'waits for you' : why];
  const more = facts.filter((fact) => fact !== '').join(symbols.separator);
  return `${paint(symbol)} ${index + 1} ${oneLine(description)}  ${style.dim(more)}`;
}
