import type { RunDetails } from '../../../app/runs/show/get-run.ts';
import type { RunDocument } from '../../../app/runs/show/run-document.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { approvalDocument } from '../../approval/approval-block.ts';
import type { CommandDefinition } from '../../command.ts';
import { nextLines } from '../../errors/next-command.ts';
import { standard } from '../../options/standard-options.ts';
import { outcomeText } from '../../run/surfaces/outcome-text.ts';
import { printedRun } from '../../run/surfaces/print-run.ts';
import { accountText } from '../../text/account-text.ts';
import { formatCost, formatDuration, formatTable, titled } from '../../text/format.ts';
import { shortId } from '../../text/short-id.ts';
import { shorten } from '../../text/shorten.ts';
import { withCapstan } from '../../with-capstan.ts';

export const runsShow: CommandDefinition = {
  name: 'show',
  summary: 'Show one run: capsules, commands, effects, questions, answer',
  arguments: '<run>',
  options: { '--full': 'show every diff, and the output of commands', ...standard.json },
  examples: [
    'capstan runs show last',
    'capstan runs show 9c41d07e --full',
    'capstan runs show 9c41d07e --json',
  ],
  run: withCapstan(async ({ capstan, named, has }) => {
    const details = await capstan.runs.get(named);
    const { run, document, account } = details;
    const { task, workspace, createdAt, endedAt } = run;
    const facts = { task, workspace, created_at: createdAt, ended_at: endedAt };
    const approvals = account.approvals.map(approvalDocument);
    return {
      json: { ...printedRun(document), ...facts, ...account, approvals },
      text: detailsText(details, has('full')),
    };
  }),
};

/** A run with its steps, effects, questions and answer. `isFull`: with every diff. All text is escaped. */
function detailsText(details: RunDetails, isFull: boolean): string {
  const { document, account } = details;
  const { answer, error, next } = document;
  return [
    factsText(details),
    error ? `\n${error.code}: ${escapeText(error.message, true)}\n` : '',
    partsText(document),
    accountText(account, { isFull }),
    answer ? titled('Answer', `${escapeText(answer, true)}\n`) : '',
    titled('Next', nextLines(next, '')),
  ].join('');
}

const factsText = ({ run, document }: RunDetails): string =>
  formatTable([
    ['run', shortId(run.id)],
    ['task', escapeText(run.task, true)],
    ['status', outcomeText(run, run.openQuestions)],
    ['workspace', escapeText(run.workspace)],
    ['provider', run.provider],
    ['isolation', run.isolation],
    ...(run.forkedFrom === null
      ? []
      : [['forked from', `${shortId(run.forkedFrom)} at ${shortId(run.forkedAt ?? '')}`]]),
    ['began', run.createdAt],
    ['took', formatDuration(document.duration_ms)],
    ['cost', formatCost(document.cost_usd)],
  ]);

function partsText(document: RunDocument): string {
  const subtasks = document.subtasks.map(({ id, status, capsule_id, description, error }) => {
    const isUntold = error && !document.answer?.includes(error.message);
    const what = isUntold ? `${description}: ${error.message}` : description;
    return [escapeText(id), status, escapeText(capsule_id ?? '-'), shorten(what, 110)];
  });
  const failed = document.failed_calls.map(
    ({ operation, target, message }) =>
      `${shorten(`${operation} ${target}`.trim(), 110)}: ${shorten(message, 300)}\n`,
  );
  const denials = document.denials.map(
    ({ operation, target, sentence }) =>
      `${shorten(`${operation} ${target}`.trim(), 110)}: ${escapeText(sentence)}\n`,
  );
  return [
    titled('Subtasks', formatTable(subtasks)),
    titled('Denied', denials.join('')),
    titled('Failed calls', failed.join('')),
  ].join('');
}
