import type { RememberedAnswer } from '../../../app/approvals/approvals-api.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { shortTime } from '../../../contract/text/short-time.ts';
import type { CommandDefinition } from '../../command.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { formatTable } from '../../format.ts';
import { printJson, printJsonLine } from '../../io/print-json.ts';
import { standard } from '../../options/standard-options.ts';
import { shortId } from '../../text/short-id.ts';
import { type CommandContext, withCapstan } from '../../with-capstan.ts';

const ofList = {
  summary: 'List remembered answers and how often each was used',
  options: [standard.json],
  examples: ['capstan policy remembered'],
  run: withCapstan(list),
};

/** `policy remembered`, which lists them, and its subcommands. */
export const policyRemembered: CommandDefinition = {
  ...ofList,
  name: 'remembered',
  topic: 'Trust',
  brief: 'your answers that are repeated',
  subcommands: [
    { ...ofList, name: 'list', topic: 'Look', brief: 'how often each was used' },
    {
      name: 'revoke',
      topic: 'Change',
      brief: 'ask about it again',
      summary: 'Revoke a remembered answer: the next request like it is asked about again',
      arguments: '<answer>',
      options: [standard.json],
      examples: ['capstan policy remembered revoke 9c41d07e'],
      run: withCapstan(revoke),
    },
  ],
};

async function list({ capstan, args, io }: CommandContext): Promise<number> {
  const rows = await capstan.approvals.remembered();
  const now = new Date();
  if (args.options['json'] === true) {
    printJson(
      io,
      rows.map((row) => documentOf(row, now)),
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
  shortId(row.id),
  row.answer,
  stateOf(row, now),
  row.maxUses === null ? `${row.uses}` : `${row.uses} of ${row.maxUses}`,
  escapeText(row.capsuleId),
  escapeText(row.operation),
  escapeText(row.pattern.startsWith('exact:') ? 'only this request' : row.pattern),
  row.runId === null ? escapeText(row.workspace) : `run ${shortId(row.runId)}`,
  row.expiresAt === null ? '-' : shortTime(row.expiresAt),
];

/** `in force`, or why not. The answers of a changed capsule or an ended run no longer match; they stay in force. */
function stateOf({ revokedAt, maxUses, uses, expiresAt }: RememberedAnswer, now: Date): string {
  if (revokedAt !== null) return 'revoked';
  if (maxUses !== null && uses >= maxUses) return 'used up';
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
  most_uses: row.maxUses,
  expires_at: row.expiresAt,
  created_at: row.createdAt,
  created_by: row.createdBy,
  revoked_at: row.revokedAt,
});

async function revoke({ capstan, args, io }: CommandContext): Promise<number> {
  const [given = ''] = args.positionals;
  const { id, capsuleId, operation, isRevoked } = await capstan.approvals.revoke(given, {
    by: 'cli',
  });
  if (args.options['json'] === true) {
    printJsonLine(io, { id, revoked: isRevoked });
    return exitCodes.completed;
  }
  const what = `${escapeText(capsuleId)} is asked about ${escapeText(operation)} again.`;
  io.stdout(
    isRevoked ? `Revoked ${shortId(id)}: ${what}\n` : `${shortId(id)} is already revoked.\n`,
  );
  return exitCodes.completed;
}
