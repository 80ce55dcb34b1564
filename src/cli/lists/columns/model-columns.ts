import type { ModelSummary } from '../../../app/settings/models/list-models.ts';
import { oneLine } from '../cell-text.ts';
import type { ListColumn } from './list-column.ts';

/** A model and its uses. */
export interface ListedModel extends Pick<ModelSummary, 'provider' | 'model' | 'price'> {
  /** `fast`, `balanced`, `best`: as set, without a choice of the conversation. */
  readonly hints: readonly string[];
}

/** One row for each model. */
export function listedModels(models: readonly ModelSummary[]): readonly ListedModel[] {
  const rows = new Map<string, ListedModel>();
  for (const { provider, model, price, hint } of models) {
    const key = `${provider} ${model}`;
    const hints = [...(rows.get(key)?.hints ?? []), ...(hint === null ? [] : [hint])];
    rows.set(key, { provider, model, price, hints });
  }
  return [...rows.values()];
}

/** The columns of a list of models. @param current The model that the conversation uses, if one was chosen for it. */
export const modelColumns = (current: string | undefined): readonly ListColumn<ListedModel>[] => [
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
