import type { RememberedItem } from '../../../app/memory/remembered-items.ts';
import { AppError } from '../../../contract/errors.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { commandGroup } from '../../help/command-group.ts';
import { printJson } from '../../io/print-json.ts';
import { capsuleOptionsOf, projectOptions } from '../../options/capsule-options.ts';
import { standard } from '../../options/standard-options.ts';
import { shortId } from '../../text/short-id.ts';
import { type CommandContext, withCapstan } from '../../with-capstan.ts';

/** `capstan capsules memory`. */
export const capsulesMemory = commandGroup('capstan capsules memory', {
  topic: 'Look',
  brief: 'what they remember',
  summary: 'List, edit and forget what capsules remember',
  subcommands: [
    {
      name: 'list',
      topic: 'Look',
      brief: 'all items',
      summary: 'List what capsules remember, newest first',
      arguments: '[capsule]',
      options: [...projectOptions, standard.json],
      examples: ['capstan capsules memory list', 'capstan capsules memory list table-analyst'],
      run: withCapstan(list),
    },
    {
      name: 'edit',
      topic: 'Change',
      brief: 'its text, or where',
      summary: 'Change the text of an item, or where it is recalled',
      arguments: '<capsule> <id> [text]',
      options: [
        { flags: '--all-workspaces', description: 'recall it in all workspaces' },
        { flags: '--this-workspace', description: 'recall it only in this workspace' },
        { flags: '--confirm', description: 'confirm a text that came from untrusted content' },
        ...projectOptions,
        standard.json,
      ],
      examples: [
        'capstan capsules memory edit table-analyst 3 "Amounts are in euros."',
        'capstan capsules memory edit table-analyst 3 --all-workspaces',
      ],
      run: withCapstan(edit),
    },
    {
      name: 'forget',
      topic: 'Change',
      brief: 'delete items',
      summary: 'Delete items; their text is overwritten',
      arguments: '<capsule> <ids...>',
      options: [...projectOptions, standard.json],
      examples: ['capstan capsules memory forget table-analyst 3'],
      run: withCapstan(forget),
    },
  ],
});

async function list(context: CommandContext): Promise<number> {
  const { capstan, args, io } = context;
  const [capsuleId] = args.positionals;
  const items = await capstan.memory.list(capsuleId, capsuleOptionsOf(context));
  if (args.options['json'] === true) printJson(io, items.map(documentOf));
  else if (items.length === 0) io.stdout('Nothing is remembered.\n');
  else io.stdout(items.map(textOf).join(''));
  return exitCodes.completed;
}

async function edit(context: CommandContext): Promise<number> {
  const { capstan, args, io } = context;
  const [capsuleId = '', id = '', text] = args.positionals;
  const { options } = args;
  const isConfirmed = options['confirm'] === true;
  const recallIn = recallInOf(options);
  if (text === undefined && recallIn === undefined && !isConfirmed) {
    const problem = 'Say what to change: a text, --all-workspaces, --this-workspace or --confirm.';
    throw new AppError('USAGE', { problem });
  }
  const change = { text, recallIn, isConfirmed, ...capsuleOptionsOf(context) };
  const item = await capstan.memory.edit(capsuleId, idOf(id), change);
  if (options['json'] === true) printJson(io, documentOf(item));
  else io.stdout(textOf(item));
  return exitCodes.completed;
}

async function forget(context: CommandContext): Promise<number> {
  const { capstan, args, io } = context;
  const [capsuleId = '', ...ids] = args.positionals;
  const items = await capstan.memory.forget(capsuleId, ids.map(idOf), capsuleOptionsOf(context));
  if (args.options['json'] === true) printJson(io, items.map(documentOf));
  else io.stdout(items.map(forgottenText).join(''));
  return exitCodes.completed;
}

/** @throws AppError `USAGE`. */
function idOf(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  const problem = `id: "${escapeText(text)}" is not the number of an item, as \`capstan capsules memory list\` shows it.`;
  throw new AppError('USAGE', { problem });
}

/** @throws AppError `USAGE`. */
function recallInOf(options: Readonly<Record<string, unknown>>): 'here' | 'all' | undefined {
  const [all, here] = [options['allWorkspaces'] === true, options['thisWorkspace'] === true];
  if (all && here) {
    const problem = 'Give --all-workspaces or --this-workspace, not both.';
    throw new AppError('USAGE', { problem });
  }
  if (all) return 'all';
  return here ? 'here' : undefined;
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

const forgottenText = ({ capsuleId, id, runId }: RememberedItem): string => {
  const record =
    runId === null
      ? ''
      : ` The record of its run still has the text: \`capstan runs delete ${shortId(runId)}\` deletes that.`;
  return `${escapeText(capsuleId)} forgot ${id}.${record}\n`;
};

const documentOf = ({ capsuleId, id, text, ...item }: RememberedItem) => ({
  capsule_id: capsuleId,
  id,
  text,
  created_at: item.createdAt,
  workspace: item.workspace,
  run_id: item.runId,
  is_untrusted: item.isUntrusted,
});
