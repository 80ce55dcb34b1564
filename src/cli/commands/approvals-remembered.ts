import type { RememberedAnswer } from '../../broker/questions/remembered-answers.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import { shortTime } from '../approval-block.ts';
import { exitCodes } from '../exit-codes.ts';
import { formatTable } from '../format.ts';
import type { WithStores } from '../with-stores.ts';
import { isPrefix, onlyOne } from './approvals-ground.ts';

/** `approvals remembered`. */
export function remembered({ stores, args, io }: WithStores): number {
  const rows = stores.remembered.list();
  const now = stores.now();
  if (args.options['json'] === true) {
    io.stdout(
      `${JSON.stringify(
        rows.map((row) => documentOf(row, now)),
        undefined,
        2,
      )}\n`,
    );
  } else if (rows.length === 0) {
    io.stdout('No answer is remembered.\n');
  } else {
    const head = ['id', 'answer', 'state', 'used', 'capsule', 'operation', 'to', 'in', 'ends'];
    io.stdout(formatTable([head, ...rows.map((row) => rowOf(row, now))]));
  }
  return exitCodes.completed;
}

const rowOf = (row: RememberedAnswer, now: Date): readonly string[] => [
  row.id,
  row.answer,
  stateOf(row, now),
  row.mostUses === null ? `${row.uses}` : `${row.uses} of ${row.mostUses}`,
  escapeText(row.capsuleId),
  escapeText(row.operation),
  escapeText(row.pattern.startsWith('exact:') ? 'this very request' : row.pattern),
  row.runId === null ? escapeText(row.workspace) : `run ${row.runId}`,
  row.expiresAt === null ? '-' : shortTime(row.expiresAt),
];

/** `in force`, or why it is not. A capsule that changed, and a run that ended, just never match again. */
function stateOf({ revokedAt, mostUses, uses, expiresAt }: RememberedAnswer, now: Date): string {
  if (revokedAt !== null) return 'revoked';
  if (mostUses !== null && uses >= mostUses) return 'used up';
  if (expiresAt !== null && Date.parse(expiresAt) <= now.getTime()) return 'over';
  return 'in force';
}

const documentOf = (row: RememberedAnswer, now: Date) => ({
  id: row.id,
  answer: row.answer,
  state: stateOf(row, now).replace(' ', '_'),
  run_id: row.runId,
  capsule_id: row.capsuleId,
  capsule_hash: row.capsuleHash,
  workspace: row.workspace,
  operation: row.operation,
  pattern: row.pattern,
  uses: row.uses,
  most_uses: row.mostUses,
  expires_at: row.expiresAt,
  created_at: row.createdAt,
  created_by: row.createdBy,
  revoked_at: row.revokedAt,
});

/** `approvals revoke`. */
export function revoke({ stores, args, io }: WithStores): number {
  const given = args.positionals[0] ?? '';
  const wanted = given.toLowerCase();
  const rows = isPrefix(given)
    ? stores.remembered.list().filter(({ id }) => id.startsWith(wanted))
    : [];
  const { id, capsuleId, operation } = onlyOne(given, rows);
  let isRevoked = false;
  stores.journal.commit(() => {
    isRevoked = stores.remembered.revoke(id);
    if (!isRevoked) return;
    const detail = { capsuleId, operation };
    stores.audit.append({
      actor: 'person:cli',
      action: 'answer.revoked',
      runId: null,
      ref: id,
      detail,
    });
  });
  if (args.options['json'] === true) {
    io.stdout(`${JSON.stringify({ id, revoked: isRevoked })}\n`);
  } else {
    const what = `${escapeText(capsuleId)} is asked about ${escapeText(operation)} again.`;
    io.stdout(isRevoked ? `Revoked ${id}: ${what}\n` : `${id} had been revoked before.\n`);
  }
  return exitCodes.completed;
}
