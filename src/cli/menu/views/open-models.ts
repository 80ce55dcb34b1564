import { closest } from '../../../contract/text/closest.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { usage } from '../../../contract/usage.ts';
import { type ListedModel, listedModels, modelColumns } from '../../lists/columns/model-columns.ts';
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
        key: 'd',
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

/** Chooses a model by its name. @throws AppError `USAGE` if there is no model to choose. */
export async function takeNamedModel(context: MenuContext, model: string): Promise<void> {
  const { capstan, workspace } = context;
  const { models } = await capstan.models.list({ settings: { workspace }, all: true });
  if (models.length === 0) throw usage('There is no model to choose. /setup adds a provider.');
  takeModel(context, { model });
  if (models.some((one) => one.model === model)) return;
  const meant = closest(
    model,
    models.map((one) => one.model),
  );
  const hint = meant === undefined ? '/model lists them.' : `Did you mean ${escapeText(meant)}?`;
  context.print(`  The provider does not list this model. ${hint}`);
}

/** Chooses a model for the next runs of the conversation. @param provider Default: the current one. */
function takeModel(
  { conversation, print, frame }: MenuContext,
  { model, provider }: { readonly model: string; readonly provider?: string },
): void {
  const { style, symbols } = frame();
  const more = provider === undefined ? {} : { provider };
  conversation.setSettings({ ...conversation.settings(), model, ...more });
  print(
    `${style.green(symbols.done)} ${escapeText(model)} from the next task of this conversation on`,
  );
}

function chosenModel({ conversation }: MenuContext): string | undefined {
  const { model } = conversation.settings();
  return typeof model === 'string' ? model : undefined;
}
