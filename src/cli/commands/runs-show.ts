import { escapeText } from '../../contract/text/escape-text.ts';
import { findRun } from '../../coordinator/find-run.ts';
import type { Stores } from '../../coordinator/open-stores.ts';
import type { RunDocument } from '../../coordinator/run-document.ts';
import type { RunRecord } from '../../coordinator/run-store.ts';
import { accountText } from '../account-text.ts';
import type { CommandArguments, CommandIo } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { formatBytes, formatCost, formatDuration, formatTable } from '../format.ts';
import { commandLinesOf } from '../next-command.ts';
import { outcomeText } from '../outcome-text.ts';
import { printRun } from '../print-run.ts';
import { accountOf } from '../run-account.ts';
import { shorten } from '../shorten.ts';

interface Here {
  readonly stores: Stores;
  readonly args: CommandArguments;
  readonly io: CommandIo;
}

/** `runs show`: the run's document, and its account. */
export async function showRunRecord({ stores, args, io }: Here): Promise<number> {
  const run = findRun(stores.runs, args.positionals[0] ?? '');
  const { runDocument } = await import('../../coordinator/run-document.ts');
  const document = runDocument(stores, run);
  const account = accountOf(stores, run);
  if (args.options['json'] === true) {
    printRun(io, { ...document, ...account });
    return exitCodes.completed;
  }
  io.stdout(factsText(run, document));
  if (run.error) io.stdout(`\n${run.error.code}: ${escapeText(run.error.message, true)}\n`);
  io.stdout(partsText(document));
  io.stdout(accountText(account, { isFull: args.options['full'] === true }));
  if (run.answer) io.stdout(`\nAnswer\n${escapeText(run.answer, true)}\n`);
  if (document.next.length > 0)
    io.stdout(`\nNext\n${document.next.flatMap(commandLinesOf).join('\n')}\n`);
  return exitCodes.completed;
}

const factsText = (run: RunRecord, document: RunDocument): string =>
  formatTable([
    ['run', run.id],
    ['task', escapeText(run.task, true)],
    [
      'status',
      outcomeText(run, document.approvals.filter(({ status }) => status === 'pending').length),
    ],
    ['workspace', escapeText(run.workspace)],
    ['provider', run.provider],
    ['isolation', run.isolation],
    ...(run.forkedFrom === null ? [] : [['forked from', `${run.forkedFrom} at ${run.forkedAt}`]]),
    ['began', run.createdAt],
    ['took', formatDuration(document.duration_ms)],
    ['cost', formatCost(document.cost_usd)],
  ]);

function partsText(document: RunDocument): string {
  const subtasks = document.subtasks.map(({ id, status, capsule_id, description, error }) => [
    escapeText(id),
    status,
    escapeText(capsule_id ?? '-'),
    shorten(error ? `${description}: ${error.message}` : description, 110),
  ]);
  const files = document.artifacts.map(({ path, bytes, made_by }) => [
    escapeText(path),
    formatBytes(bytes),
    escapeText(made_by),
  ]);
  return [
    subtasks.length > 0 ? `\nSubtasks\n${formatTable(subtasks)}` : '',
    files.length > 0 ? `\nFiles written\n${formatTable(files)}` : '',
  ].join('');
}
