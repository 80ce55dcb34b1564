import { escapeText } from '../../../contract/text/escape-text.ts';
import { type ListedModel, listedModels, modelColumns } from '../../lists/columns/model-columns.ts';
import type { MenuContext } from '../menu-context.ts';
import { openList } from './list/open-list.ts';

/** `/model`: the models that can be asked; the chosen one is for the next runs of this conversation only. */
export function openModels(context: MenuContext): void {
  const { capstan, conversation, workspace } = context;
  let provider = '';
  openList<ListedModel>(context, {
    title: (_rows, { symbols }) => {
      const model = chosenModel(context);
      const now = model === undefined ? 'as set' : `${escapeText(model)} in this conversation`;
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
        words: 'takes it for this conversation',
        run: (row) => {
          if (!row) return;
          context.closeView();
          takeModel(context, { model: row.model, provider: row.provider });
        },
      },
      {
        key: 'd',
        words: 'as set again',
        isForAll: true,
        run: () => {
          const { model: _model, provider: _provider, ...rest } = conversation.settings();
          conversation.setSettings(rest);
        },
      },
    ],
  });
}

/** Takes a model for the next runs of the conversation. @param provider Default: the one in force. */
export function takeModel(
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
