import type { ModelSummary } from '../../../app/settings/models/list-models.ts';
import { closest } from '../../../contract/text/closest.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { usage } from '../../../contract/usage.ts';
import { oneLine } from '../../lists/cell-text.ts';
import type { ListColumn } from '../../lists/columns/list-column.ts';
import { shorten } from '../../text/shorten.ts';
import type { MenuContext } from '../program/create-context.ts';
import { openList } from './list/open-list.ts';

/** `/model`: the available models. The chosen one is for the next runs of this conversation only. */
export function openModels(context: MenuContext): void {
  const { capstan, conversation, workspace } = context;
  let provider = '';
  openList<ListedModel>(context, {
    title: (_rows, { symbols }) => {
      const model = chosenModel(context);
      const now =
        model === undefined ? 'from the settings' : `${escapeText(model)} in this conversation`;
      return ['Models', ...(provider === '' ? [] : [provider]), now].join(symbols.separator);
    },
    columns: () => modelColumns(chosenModel(context)),
    keyOf: (row) => `${row.provider} ${row.model}`,
    load: async () => {
      const list = await capstan.models.list({ settings: { workspace }, all: true });
      provider = list.provider;
      return listedModels(list.models);
    },
    empty: 'No model: only explicit instructions work. /setup adds one.',
    keys: [
      {
        key: 'enter',
        words: 'use in this conversation',
        run: (row) => {
          context.closeView();
          takeModel(context, { model: row.model, provider: row.provider });
        },
      },
      {
        key: '-',
        words: 'use the settings again',
        isForAll: true,
        run: () => {
          const { model: _model, provider: _provider, ...rest } = conversation.settings();
          conversation.setSettings(rest);
        },
      },
    ],
  });
}

/** Chooses a model by its name; asks first if no provider lists it. @throws AppError `USAGE` if there is no model to choose. */
export async function takeNamedModel(context: MenuContext, model: string): Promise<void> {
  const { capstan, workspace } = context;
  const { models, problems } = await capstan.models.list({ settings: { workspace }, all: true });
  if (models.length === 0) throw usage('There is no model to choose. /setup adds a provider.');
  const names = models.map((one) => one.model);
  if (!names.includes(model)) {
    const meant = closest(model, names);
    const hint = meant === undefined ? '/model lists them.' : `Did you mean ${escapeText(meant)}?`;
    context.print(`  The provider does not list ${shorten(model, 100)}. ${hint}`);
    // A list that could not be read may have it.
    if (problems.length === 0 && !(await context.confirm('Use it anyway?'))) return;
  }
  takeModel(context, { model });
}

/** Keeps the model that was chosen for a run of a session that continues, if its provider is still the one in use. */
export async function keepModel(context: MenuContext, runId: string): Promise<void> {
  const { capstan, conversation } = context;
  if (chosenModel(context) !== undefined) return;
  const [{ run, model }, { models, provider }] = await Promise.all([
    capstan.runs.get(runId),
    capstan.status.get(conversation.settings()),
  ]);
  const isChosen =
    models !== null &&
    provider.name === run.provider &&
    Object.values(models).some((one) => one !== model);
  const isLeft = conversation.sessionId() !== run.sessionId || chosenModel(context) !== undefined;
  if (model === null || !isChosen || isLeft) return;
  conversation.keepSettings(run.sessionId, { model });
  printTaken(context, model);
}

/** Chooses a model for the next runs of the conversation. @param provider Default: the current one. */
function takeModel(
  context: MenuContext,
  { model, provider }: { readonly model: string; readonly provider?: string },
): void {
  const { conversation } = context;
  const more = provider === undefined ? {} : { provider };
  conversation.setSettings({ ...conversation.settings(), model, ...more });
  printTaken(context, model);
}

function printTaken({ print, frame }: MenuContext, model: string): void {
  const { style, symbols } = frame();
  print(
    `${style.green(symbols.done)} ${escapeText(model)} from the next task of this conversation on`,
  );
}

function chosenModel({ conversation }: MenuContext): string | undefined {
  const { model } = conversation.settings();
  return typeof model === 'string' ? model : undefined;
}

/** A model and its uses. */
interface ListedModel extends Pick<ModelSummary, 'provider' | 'model' | 'price'> {
  /** `fast`, `balanced`, `best`: as set, without a choice of the conversation. */
  readonly hints: readonly string[];
}

/** One row for each model. */
function listedModels(models: readonly ModelSummary[]): readonly ListedModel[] {
  const rows = new Map<string, ListedModel>();
  for (const { provider, model, price, hint } of models) {
    const key = `${provider} ${model}`;
    const hints = [...(rows.get(key)?.hints ?? []), ...(hint === null ? [] : [hint])];
    rows.set(key, { provider, model, price, hints });
  }
  return [...rows.values()];
}

/** The columns of a list of models. @param current The model that the conversation uses, if one was chosen for it. */
const modelColumns = (current: string | undefined): readonly ListColumn<ListedModel>[] => [
  {
    name: 'model',
    value: ({ model }) => oneLine(model),
    cell: ({ model, hints }, { symbols }) => {
      const isUsed = current === undefined ? hints.length > 0 : model === current;
      return `${isUsed ? symbols.done : ' '} ${oneLine(model)}`;
    },
    paint: (cell, _row, { style }) => `${style.green(cell.slice(0, 1))}${cell.slice(1)}`,
  },
  { name: 'provider', value: ({ provider }) => oneLine(provider), cell: 'value', drop: 0 },
  { name: 'price', value: ({ price }) => priceText(price), cell: 'value', drop: 1 },
  {
    name: 'used_for',
    value: ({ hints }) => hints.join(', '),
    cell: ({ hints }) => (hints.length > 0 ? `${hints.join(', ')} as set` : ''),
    cut: 'text',
  },
];

function priceText({ basis, inputUsd, outputUsd }: ModelSummary['price']): string {
  if (basis === 'free') return 'free';
  const price = `$${inputUsd} in, $${outputUsd} out a million`;
  return basis === 'unknown' ? `at most ${price}` : price;
}
