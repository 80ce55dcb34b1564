import type { ModelPrice, ModelSummary } from '../../../app/models/list-models.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import type { CommandDefinition } from '../../command.ts';
import { formatTable } from '../../format.ts';
import { standard } from '../../options/standard-options.ts';
import { withCapstan } from '../../with-capstan.ts';

export const modelsList: CommandDefinition = {
  name: 'list',
  topic: 'Look',
  brief: 'what runs ask, with prices',
  summary: 'List the models that runs ask, with prices and context windows',
  options: [
    standard.provider,
    standard.model,
    { flags: '--all', description: 'also every model that vendors list whose key is set' },
    standard.json,
  ],
  examples: ['capstan models list', 'capstan models list --provider anthropic --all --json'],
  run: withCapstan(async ({ capstan, args, io, has }) => {
    const listed = await capstan.models.list({ settings: args.options, all: has('all') });
    const { provider, models, problems } = listed;
    for (const text of problems) io.stderr(`note: no list of ${escapeText(text)}\n`);
    const head = ['for', 'model', '$ in/1M', '$ out/1M', 'context', 'set by'];
    return {
      json: { provider, models: models.map(documentOf), problems },
      text:
        models.length === 0
          ? 'No model: the provider is `offline`. Set a key, or choose one with --provider.\n'
          : formatTable([head, ...models.map(rowOf)]),
    };
  }),
};

const rowOf = ({ provider, model, hint, source, price, contextTokens }: ModelSummary) => [
  hint ?? (/list$/.test(source) ? '' : 'fallback'),
  escapeText(`${provider}/${model}`),
  dollarsOf(price, price.inputUsd),
  dollarsOf(price, price.outputUsd),
  contextTokens === null ? 'unknown' : String(contextTokens),
  escapeText(source),
];

const dollarsOf = ({ basis }: ModelPrice, usd: number): string => {
  if (basis === 'free') return 'free';
  return basis === 'unknown' ? `unknown (${usd.toFixed(2)})` : usd.toFixed(2);
};

const documentOf = ({ provider, model, hint, source, price, contextTokens }: ModelSummary) => ({
  provider,
  model,
  hint,
  source,
  price_basis: price.basis,
  input_usd_per_million: price.inputUsd,
  cached_input_usd_per_million: price.cachedInputUsd,
  output_usd_per_million: price.outputUsd,
  price_source: price.source,
  price_date: price.date,
  context_tokens: contextTokens,
});
