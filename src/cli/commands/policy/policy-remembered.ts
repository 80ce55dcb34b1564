import type { RememberedAnswer } from '../../../app/approvals/approvals-api.ts';
import { withDocumentKeys } from '../../../contract/documents/document-keys.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { shortTime } from '../../../contract/text/short-time.ts';
import type { CommandDefinition } from '../../command.ts';
import { standard } from '../../options/standard-options.ts';
import { headedTable } from '../../text/format.ts';
import { shortId } from '../../text/short-id.ts';
import { type CommandContext, type CommandResult, withCapstan } from '../../with-capstan.ts';

const ofList = {
  summary: 'List remembered answers and how often each was used',
  options: { ...standard.json },
  examples: ['capstan policy remembered'],
  run: withCapstan(list),
};

/** `policy remembered`, which lists them, and its subcommands. */
export const policyRemembered: CommandDefinition = {
  ...ofList,
  name: 'remembered',
  topic: 'Trust',
  subcommands: [
    { ...ofList, name: 'list', topic: 'Inspect' },
    {
      name: 'revoke',
      topic: 'Change',
      summary: 'Revoke a remembered answer',
      arguments: '<answer>',
      options: { ...standard.json },
      examples: ['capstan policy remembered revoke 9c41d07e'],
      run: withCapstan(revoke),
    },
  ],
};

async function list({ capstan }: CommandContext): Promise<CommandResult> {
  const rows = await capstan.approvals.remembered();
  const now = new Date();
  const head = ['id', 'answer', 'state', 'used', 'capsule', 'operation', 'to', 'in', 'ends'];
  const cells = rows.map((row) => rowOf(row, now));
  return {
    json: rows.map((row) => documentOf(row, now)),
    text: headedTable(head, cells, 'No answer is remembered.\n'),
  };
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

const documentOf = ({ maxUses, ...row }: RememberedAnswer, now: Date) => ({
  ...withDocumentKeys(row),
  state: stateOf({ ...row, maxUses }, now).replace(' ', '_'),
  most_uses: maxUses,
});

async function revoke({ capstan, named }: CommandContext): Promise<CommandResult> {
  const revoked = await capstan.approvals.revoke(named, { by: 'cli' });
  const { id, capsuleId, operation, isRevoked } = revoked;
  const what = `${escapeText(capsuleId)} is asked about ${escapeText(operation)} again.`;
  const text = isRevoked ? `Revoked ${shortId(id)}: ${what}` : `${shortId(id)} is already revoked.`;
  return { json: { id, revoked: isRevoked }, text: `${text}\n` };
}
