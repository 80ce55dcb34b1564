import type { ListedCapsule } from '../../../app/capsules/list-capsules.ts';
import { checkedText } from '../../commands/author/capsules-check.ts';
import { inspectText } from '../../commands/capsules/capsules-inspect.ts';
import { capsuleColumns } from '../../lists/columns/capsule-columns.ts';
import type { MenuContext } from '../menu-context.ts';
import { editOverlay } from './edit-overlay.ts';
import { openList } from './list/open-list.ts';
import { confirmView } from './question/confirm-view.ts';

/** `/capsules`: the capsules that runs use here. */
export function openCapsules(context: MenuContext): void {
  const { capstan, workspace } = context;
  const options = { settings: { workspace }, by: 'terminal' };
  openList<ListedCapsule>(context, {
    title: (rows, { symbols }) => titleOf(rows, symbols.separator),
    columns: () => capsuleColumns,
    keyOf: ({ capsule }) => capsule.id,
    load: () => capstan.capsules.list(options),
    empty: 'No capsules. Try: capstan capsules create "what it should do"',
    keys: [
      {
        key: 'enter',
        words: 'inspects',
        run: async (row) => {
          if (!row) return;
          const details = await capstan.capsules.get(row.capsule.id, options);
          context.print(`\n${inspectText(details).trimEnd()}\n`);
        },
      },
      {
        key: 'e',
        words: 'edit overlay',
        run: async (row) => {
          if (row) await editOverlay(context, row.capsule);
        },
      },
      {
        key: 'c',
        words: 'check',
        run: async (row) => {
          if (!row) return;
          context.print(`  Checks ${row.capsule.id}: a few seconds`);
          const checked = await capstan.capsules.check(row.capsule.id, options);
          context.print(checkedText(checked, context.workspace).trimEnd());
        },
      },
      { key: 't', words: 'trust', run: (row) => printTrust(context, row) },
      {
        key: 'q',
        words: 'quarantine',
        run: (row) => toggleQuarantine(context, row),
      },
    ],
  });
}

function titleOf(rows: readonly ListedCapsule[], separator: string): string {
  const held = rows.filter(({ quarantine }) => quarantine).length;
  const more = held > 0 ? [`${held} quarantined`] : [];
  return ['Capsules', String(rows.length), ...more].join(separator);
}

async function printTrust(
  { capstan, print, frame }: MenuContext,
  row: ListedCapsule | undefined,
): Promise<void> {
  if (!row) return;
  const { id } = row.capsule;
  const all = (await capstan.trust.list()).filter(({ capsuleId }) => capsuleId === id);
  const { separator } = frame().symbols;
  const words = all.map(({ tier, level }) => `tier ${tier} ${level}`);
  print(`  ${id} is ${words.length > 0 ? words.join(separator) : 'supervised in every tier'}`);
}

async function toggleQuarantine(
  context: MenuContext,
  row: ListedCapsule | undefined,
): Promise<void> {
  if (!row) return;
  const { id } = row.capsule;
  const { capstan, workspace } = context;
  const options = { settings: { workspace }, by: 'terminal' };
  if (row.quarantine) {
    if (await confirmView(context, `Restore ${id}, so that runs may choose it again?`))
      await capstan.capsules.restore(id, options);
  } else if (await confirmView(context, `Quarantine ${id}, so that no run chooses it?`)) {
    await capstan.capsules.quarantine(id, { ...options, reason: 'by hand' });
  }
}
