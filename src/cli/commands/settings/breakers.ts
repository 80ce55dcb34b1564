import type { BreakerSummary } from '../../../app/breakers/breakers-api.ts';
import { AppError } from '../../../contract/errors.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import type { CommandDefinition } from '../../command.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { formatDuration, formatTable } from '../../format.ts';
import { printJson } from '../../io/print-json.ts';
import { standard } from '../../options/standard-options.ts';
import { shorten } from '../../text/shorten.ts';
import { type CommandContext, withCapstan } from '../../with-capstan.ts';

const ofList = {
  summary: 'List models that failed recently and how long they are paused',
  options: [standard.json],
  examples: ['capstan doctor breakers', 'capstan doctor breakers reset openai/gpt-5-mini'],
  run: withCapstan(list),
};

/** `doctor breakers`, which lists them, and its subcommands. */
export const command: CommandDefinition = {
  ...ofList,
  name: 'breakers',
  topic: 'Models',
  brief: 'providers that are paused after failures',
  subcommands: [
    { ...ofList, name: 'list', topic: 'Look', brief: 'how long each is paused' },
    {
      name: 'reset',
      topic: 'Change',
      brief: 'try it again now',
      summary: 'Reset the failures of a provider or of one of its models',
      arguments: '<provider[/model]>',
      options: [standard.json],
      examples: ['capstan doctor breakers reset openai'],
      run: withCapstan(reset),
    },
  ],
};

const words = { open: 'paused', half_open: 'trial call', closed: 'ok' } as const;

async function list({ capstan, args, io }: CommandContext): Promise<number> {
  const rows = await capstan.breakers.list();
  if (args.options['json'] === true) printJson(io, rows.map(documentOf));
  else if (rows.length === 0) io.stdout('No provider failed recently.\n');
  else
    io.stdout(
      formatTable([['provider/model', 'state', 'failures', 'last problem'], ...rows.map(rowOf)]),
    );
  return exitCodes.completed;
}

const documentOf = (row: BreakerSummary) => ({
  provider: row.provider,
  model: row.model,
  state: row.state,
  failures: row.failures,
  rest_ms: row.restMs,
  opened_at: row.openedAt,
  last_problem: row.lastProblem,
});

const rowOf = ({ provider, model, state, restMs, failures, lastProblem }: BreakerSummary) => [
  escapeText(`${provider}/${model}`),
  state === 'open' ? `${words.open} ${formatDuration(restMs)}` : words[state],
  String(failures),
  shorten(lastProblem ?? '', MAX_PROBLEM),
];

const MAX_PROBLEM = 90;

async function reset({ capstan, args, io }: CommandContext): Promise<number> {
  const [named = ''] = args.positionals;
  const at = named.indexOf('/');
  const provider = at === -1 ? named : named.slice(0, at);
  const model = at === -1 ? undefined : named.slice(at + 1);
  if (provider === '' || model === '') {
    const problem =
      'Name a provider, or a provider and a model: `capstan doctor breakers reset openai/gpt-5-mini`.';
    throw new AppError('USAGE', { problem });
  }
  const refs = await capstan.breakers.reset({ provider, model, by: 'cli' });
  if (args.options['json'] === true) printJson(io, { reset: refs });
  else if (refs.length === 0) io.stdout(`No failures of ${escapeText(named)} are counted.\n`);
  else io.stdout(`Reset: ${refs.map((ref) => escapeText(ref)).join(', ')}.\n`);
  return exitCodes.completed;
}
