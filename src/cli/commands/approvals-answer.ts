import type { Approval, ApprovalAnswer, PlainAnswer } from '../../contract/approval.ts';
import { AppError } from '../../contract/errors.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import type { Stores } from '../../coordinator/open-stores.ts';
import { shortBinding, shortTime } from '../approval-block.ts';
import { answerCommands, approvalDocument, standingOf } from '../approval-document.ts';
import { exitCodes } from '../exit-codes.ts';
import { printJson } from '../print-json.ts';
import { rememberWishOf } from '../remember-wish.ts';
import type { WithStores } from '../with-stores.ts';
import { findApproval } from './approvals-ground.ts';
import { assertFits } from './approvals-pattern.ts';

export const approve = (here: WithStores): Promise<number> => decide(here, 'approve');
export const deny = (here: WithStores): Promise<number> => decide(here, 'deny');

/** `approvals answer`: for what neither yes nor no answers. */
export function answer(here: WithStores): Promise<number> {
  return decide(here, (here.args.positionals[1] ?? '') as ApprovalAnswer);
}

async function decide(here: WithStores, given: ApprovalAnswer): Promise<number> {
  const { stores, args, io } = here;
  const { options } = args;
  const approval = findApproval(stores, args.positionals[0] ?? '');
  assertOpen(approval, stores.now());
  assertChoice(approval, given);
  assertSame(approval, textOf(options['binding']));
  const remember = rememberWishOf(
    {
      scope: textOf(options['remember']),
      pattern: textOf(options['pattern']),
      until: textOf(options['until']),
      times: textOf(options['times']),
    },
    approval,
    stores.now(),
  );
  if (remember && options['pattern'] !== undefined) {
    await assertFits(remember.pattern, approval, stores);
  }
  const { binding, id } = approval;
  const note = noteOf(textOf(options['note']));
  const isFirst = stores.desk.decide(approval, {
    answer: given,
    by: 'cli',
    note,
    remember,
    binding,
  });
  const row = stores.approvals.find(id) ?? approval;
  if (!isFirst) throw closed(row);
  const next = nextOf(row, stores);
  if (options['json'] === true) {
    printJson(io, { ...approvalDocument(row), next });
  } else {
    io.stdout(`${pastOf(given)} ${escapeText(row.question)} (${shortBinding(binding)})\n`);
    if (remember) io.stdout('The answer is remembered: capstan approvals remembered\n');
    for (const command of next) io.stdout(`  ${command}\n`);
  }
  return exitCodes.completed;
}

const past: Readonly<Record<PlainAnswer, string>> = {
  approve: 'Approved:',
  deny: 'Denied:',
  it_happened: 'Kept as done:',
  do_it: 'To be done:',
  abandon: 'Abandoned:',
  none: 'None of them:',
};

const pastOf = (given: ApprovalAnswer): string =>
  Object.hasOwn(past, given)
    ? past[given as PlainAnswer]
    : `To ${escapeText(given.slice('capsule:'.length))}:`;

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

const closed = (row: Approval): AppError =>
  new AppError('APPROVAL_CLOSED', { id: row.id, what: standingOf(row) });

/** The row itself decides; this only says it in time, and in words. */
function assertOpen(approval: Approval, now: Date): void {
  const { id, status, expiresAt } = approval;
  if (status !== 'pending') throw closed(approval);
  if (expiresAt === null || Date.parse(expiresAt) > now.getTime()) return;
  const what = `its time was up at ${shortTime(expiresAt)} and nobody had answered`;
  throw new AppError('APPROVAL_CLOSED', { id, what });
}

function assertChoice({ id, choices }: Approval, given: ApprovalAnswer): void {
  if (choices.includes(given)) return;
  const commands = answerCommands({ id, choices }).map((line) => `\n  ${line}`);
  const problem = `"${escapeText(given)}" is no answer to this question. One of these is:${commands.join('')}`;
  throw new AppError('USAGE', { problem });
}

function assertSame({ id, binding }: Approval, given: string | undefined): void {
  if (given === undefined || (given.length >= 8 && binding.startsWith(given))) return;
  throw new AppError('APPROVAL_ELSEWHERE', {
    id,
    given: escapeText(given),
    binding: shortBinding(binding),
  });
}

const MOST_NOTE = 2_000;

function noteOf(note: string | undefined): string | undefined {
  if (note === undefined || note.length <= MOST_NOTE) return note;
  const problem = `--note has ${note.length} characters; ${MOST_NOTE} are allowed.`;
  throw new AppError('USAGE', { problem });
}

/** What a parked run still waits for, and how it goes on. A run that a process follows goes on by itself. */
function nextOf({ runId }: Approval, { runs, approvals }: Stores): readonly string[] {
  if (runs.find(runId)?.status !== 'parked') return [];
  const open = approvals.of(runId).filter(({ status }) => status === 'pending');
  return [...open.map(({ id }) => `capstan approvals show ${id}`), `capstan resume ${runId}`];
}
