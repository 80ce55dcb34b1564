import type { RememberedItem } from '../../../app/capsules/memory/remembered-items.ts';
import { withDocumentKeys } from '../../../contract/documents/document-keys.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { usage } from '../../../contract/usage.ts';
import { commandGroup } from '../../help/command-group.ts';
import { projectOptions, standard } from '../../options/standard-options.ts';
import { shortId } from '../../text/short-id.ts';
import { type CommandContext, type CommandResult, withCapstan } from '../../with-capstan.ts';

/** `capstan capsules memory`. */
export const capsulesMemory = commandGroup('capstan capsules memory', {
  summary: 'List, edit and delete what capsules remember',
  subcommands: [
    {
      name: 'list',
      summary: 'List what capsules remember, newest first',
      arguments: '[capsule]',
      options: { ...projectOptions, ...standard.json },
      examples: ['capstan capsules memory list', 'capstan capsules memory list table-analyst'],
      run: withCapstan(list),
    },
    {
      name: 'edit',
      topic: 'Change',
      summary: 'Change the text of an item, or where it is recalled',
      arguments: '<capsule> <id> [text]',
      options: {
        '--all-workspaces': 'recall it in all workspaces',
        '--this-workspace': 'recall it only in this workspace',
        '--confirm': 'confirm a text that came from untrusted content',
        ...projectOptions,
        ...standard.json,
      },
      examples: [
        'capstan capsules memory edit table-analyst 3 "Amounts are in euros."',
        'capstan capsules memory edit table-analyst 3 --all-workspaces',
      ],
      run: withCapstan(edit),
    },
    {
      name: 'forget',
      topic: 'Change',
      summary: 'Delete items; their text is overwritten',
      arguments: '<capsule> <ids...>',
      options: { ...projectOptions, ...standard.json },
      examples: ['capstan capsules memory forget table-analyst 3'],
      run: withCapstan(forget),
    },
  ],
});

async function list({ capstan, args, capsuleOptions }: CommandContext): Promise<CommandResult> {
  const [capsuleId] = args.positionals;
  const items = await capstan.memory.list(capsuleId, capsuleOptions);
  const text = items.length === 0 ? 'Nothing is remembered.\n' : items.map(textOf).join('');
  return { json: items.map(withDocumentKeys), text };
}

async function edit(context: CommandContext): Promise<CommandResult> {
  const { capstan, args, has } = context;
  const [capsuleId = '', id = '', text] = args.positionals;
  const isConfirmed = has('confirm');
  const recallIn = recallInOf(context);
  if (text === undefined && recallIn === undefined && !isConfirmed)
    throw usage('Say what to change: a text, --all-workspaces, --this-workspace or --confirm.');
  const change = { text, recallIn, isConfirmed, ...context.capsuleOptions };
  const item = await capstan.memory.edit(capsuleId, idOf(id), change);
  return { json: withDocumentKeys(item), text: textOf(item) };
}

async function forget({ capstan, args, capsuleOptions }: CommandContext): Promise<CommandResult> {
  const [capsuleId = '', ...ids] = args.positionals;
  const items = await capstan.memory.forget(capsuleId, ids.map(idOf), capsuleOptions);
  return { json: items.map(withDocumentKeys), text: items.map(forgottenText).join('') };
}

function idOf(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw usage(
    `id: "${escapeText(text)}" is not the number of an item, as \`capstan capsules memory list\` shows it.`,
  );
}

function recallInOf({ has }: CommandContext): 'here' | 'all' | undefined {
  const isAll = has('allWorkspaces');
  if (!has('thisWorkspace')) return isAll ? 'all' : undefined;
  if (isAll) throw usage('Give --all-workspaces or --this-workspace, not both.');
  return 'here';
}

function textOf({ capsuleId, id, text, ...item }: RememberedItem): string {
  const facts = [
    item.createdAt.slice(0, 10),
    ...(item.runId === null ? [] : [`run ${shortId(item.runId)}`]),
    item.workspace === null ? 'all workspaces' : escapeText(item.workspace),
    ...(item.isUntrusted ? ['from untrusted content'] : []),
  ];
  const lines = escapeText(text).replaceAll('\n', '\n    ');
  return `${escapeText(capsuleId)} ${id}  ${facts.join(' · ')}\n    ${lines}\n`;
}

function forgottenText({ capsuleId, id, runId }: RememberedItem): string {
  const record = `The record of its run still has the text: \`capstan runs delete ${shortId(runId ?? '')}\` deletes that.`;
  return `${escapeText(capsuleId)} forgot ${id}.${runId === null ? '' : ` ${record}`}\n`;
}
