import type { Approval } from '../../contract/approval.ts';
import { AppError } from '../../contract/errors.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import type { Stores } from '../../coordinator/open-stores.ts';
import { approvalBlock, costOf, shortTime, tierOf } from '../approval-block.ts';
import { answerCommands, approvalDocument, standingOf } from '../approval-document.ts';
import { exitCodes } from '../exit-codes.ts';
import { formatTable } from '../format.ts';
import { printJson } from '../print-json.ts';
import { createStyle } from '../style.ts';
import type { WithStores } from '../with-stores.ts';
import { findApproval } from './approvals-ground.ts';

/** `approvals list`. */
export function list({ stores, args, io }: WithStores): number {
  const isAll = args.options['all'] === true;
  const rows = isAll ? latest(stores, limitOf(args.options['limit'])) : stores.approvals.pending();
  if (args.options['json'] === true) {
    printJson(io, rows.map(approvalDocument));
  } else if (rows.length === 0) {
    io.stdout(isAll ? 'Nothing has been asked yet.\n' : 'Nothing waits for an answer.\n');
  } else {
    const now = stores.now();
    const head = ['question', 'status', 'capsule', 'tier', 'cost', 'asks'];
    io.stdout(formatTable([head, ...rows.map((row) => rowOf(row, now))]));
  }
  return exitCodes.completed;
}

const rowOf = (approval: Approval, now: Date): readonly string[] => [
  approval.id,
  statusOf(approval, now),
  escapeText(approval.capsuleId),
  tierOf(approval).replace('tier ', ''),
  costOf(approval),
  oneLine(approval.question),
];

function statusOf({ status, answer, expiresAt }: Approval, now: Date): string {
  if (status !== 'pending') return answer ?? 'expired';
  if (expiresAt === null) return 'waits';
  return Date.parse(expiresAt) > now.getTime() ? `waits until ${shortTime(expiresAt)}` : 'overdue';
}

const MOST_CHARACTERS = 80;

/** On one line; what is left out is counted. */
function oneLine(text: string): string {
  const all = [...escapeText(text.replace(/\s+/g, ' '))];
  const left = all.length - MOST_CHARACTERS;
  return left > 0
    ? `${all.slice(0, MOST_CHARACTERS).join('')}… (${left} more characters)`
    : all.join('');
}

/** Questions of every run, newest first. */
function latest({ runs, approvals }: Stores, limit: number): readonly Approval[] {
  const found: Approval[] = [];
  for (const { id } of runs.list({ limit: MOST_RUNS })) {
    found.push(...approvals.of(id).toReversed());
    if (found.length >= limit) break;
  }
  return found.slice(0, limit);
}

const MOST_RUNS = 10_000;

function limitOf(given: unknown = 50): number {
  const limit = Number(given);
  if (Number.isInteger(limit) && limit >= 1 && limit <= 10_000) return limit;
  const problem = `--limit is "${escapeText(String(given))}"; it must be a whole number from 1 to 10000.`;
  throw new AppError('USAGE', { problem });
}

/** `approvals show`. */
export function show({ stores, args, io }: WithStores): number {
  const approval = findApproval(stores, args.positionals[0] ?? '');
  if (args.options['json'] === true) {
    printJson(io, approvalDocument(approval));
    return exitCodes.completed;
  }
  const style = createStyle(io.environment, io.isTerminal && Boolean(process.stdout.isTTY));
  io.stdout(approvalBlock(approval, { style, now: stores.now(), isFolded: false }).text);
  const commands = approval.status === 'pending' ? answerCommands(approval) : [];
  const standing = standingOf(approval);
  io.stdout(`\n${standing[0]?.toUpperCase()}${standing.slice(1)}.\n`);
  for (const command of commands) io.stdout(`  ${command}\n`);
  return exitCodes.completed;
}
