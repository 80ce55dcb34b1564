import type { BreakerSummary } from '../../../app/money/breakers-api.ts';
import { withDocumentKeys } from '../../../contract/documents/document-keys.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { usage } from '../../../contract/usage.ts';
import type { CommandDefinition } from '../../command.ts';
import { standard } from '../../options/standard-options.ts';
import { formatDuration, headedTable } from '../../text/format.ts';
import { shorten } from '../../text/shorten.ts';
import { type CommandContext, type CommandResult, withCapstan } from '../../with-capstan.ts';

const ofList = {
  summary: 'List models that failed recently and how long they are paused',
  options: { ...standard.json },
  examples: ['capstan doctor breakers', 'capstan doctor breakers reset openai/gpt-5-mini'],
  run: withCapstan(list),
};

/** `doctor breakers`, which lists them, and its subcommands. */
export const command: CommandDefinition = {
  ...ofList,
  name: 'breakers',
  topic: 'Models',
  subcommands: [
    { ...ofList, name: 'list', topic: 'Inspect' },
    {
      name: 'reset',
      topic: 'Change',
      summary: 'Reset the failures of a provider or of one of its models',
      arguments: '<provider[/model]>',
      options: { ...standard.json },
      examples: ['capstan doctor breakers reset openai'],
      run: withCapstan(reset),
    },
  ],
};

const words = { open: 'paused', half_open: 'trial call', closed: 'ok' } as const;

async function list({ capstan }: CommandContext): Promise<CommandResult> {
  const rows = await capstan.breakers.list();
  const head = ['provider/model', 'state', 'failures', 'last problem'];
  const text = headedTable(head, rows.map(rowOf), 'No provider failed recently.\n');
  return { json: rows.map(withDocumentKeys), text };
}

const rowOf = ({ provider, model, state, restMs, failures, lastProblem }: BreakerSummary) => [
  escapeText(`${provider}/${model}`),
  state === 'open' ? `${words.open} ${formatDuration(restMs)}` : words[state],
  String(failures),
  shorten(lastProblem ?? '', 90),
];

const NO_PROVIDER =
  'Name a provider, or a provider and a model: `capstan doctor breakers reset openai/gpt-5-mini`.';

async function reset({ capstan, named }: CommandContext): Promise<CommandResult> {
  const [provider = '', ...rest] = named.split('/');
  const model = rest.length === 0 ? undefined : rest.join('/');
  if (provider === '' || model === '') throw usage(NO_PROVIDER);
  const refs = await capstan.breakers.reset({ provider, model, by: 'cli' });
  const shown = refs.map((ref) => escapeText(ref)).join(', ');
  const none = `No failures of ${escapeText(named)} are counted.\n`;
  return { json: { reset: refs }, text: refs.length === 0 ? none : `Reset: ${shown}.\n` };
}
