import { createTwoFilesPatch } from 'diff';
import type { ListedCapsule } from '../../../app/capsules/list-capsules.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { checkedText } from '../../commands/author/capsules-check.ts';
import { inspectText } from '../../commands/capsules/show-capsule.ts';
import { capsuleColumns } from '../../lists/columns/capsule-columns.ts';
import { folderText } from '../../text/short-folder.ts';
import { drawDiff } from '../draw/draw-diff.ts';
import type { MenuContext } from '../program/create-context.ts';
import { openList } from './list/open-list.ts';

/** `/capsules`: the capsules that runs in this folder can use. */
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
        words: 'inspect',
        run: async ({ capsule }, { print }) => {
          const details = await capstan.capsules.get(capsule.id, options);
          print(inspectText(details).trimEnd());
        },
      },
      { key: 'e', words: 'edit overlay', run: ({ capsule }, page) => editOverlay(page, capsule) },
      {
        key: 'c',
        words: 'check',
        run: async ({ capsule }, { print }) => {
          print(`  Checking ${capsule.id}: this takes a few seconds`);
          const checked = await capstan.capsules.check(capsule.id, options);
          print(checkedText(checked, context.workspace).trimEnd());
        },
      },
      { key: 't', words: 'trust', run: (row, page) => printTrust(page, row) },
      { key: 'q', words: 'quarantine', run: (row) => toggleQuarantine(context, row) },
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
  { capsule: { id } }: ListedCapsule,
): Promise<void> {
  const levels = await capstan.trust.list(id);
  const words = levels.map(({ tier, level }) => `tier ${tier} ${level}`);
  const { separator } = frame().symbols;
  print(`  ${id} is ${words.length > 0 ? words.join(separator) : 'supervised in every tier'}`);
}

async function toggleQuarantine(
  { capstan, workspace, confirm }: MenuContext,
  { capsule: { id }, quarantine }: ListedCapsule,
): Promise<void> {
  const options = { settings: { workspace }, by: 'terminal' };
  if (quarantine) {
    if (await confirm(`Restore ${id}, so that runs may choose it again?`))
      await capstan.capsules.restore(id, options);
  } else if (await confirm(`Quarantine ${id}, so that no run chooses it?`))
    await capstan.capsules.quarantine(id, { ...options, reason: 'by hand' });
}

/**
 * Opens a capsule's overlay in the editor, saves it, and prints its changes and findings.
 *
 * @throws AppError `OVERLAY_CHANGED` if it was saved elsewhere meanwhile; `OVERLAY_INVALID`.
 */
async function editOverlay(context: MenuContext, { id }: ListedCapsule['capsule']): Promise<void> {
  const { capstan, workspace, print, frame } = context;
  const { style, symbols } = frame();
  const settings = { workspace };
  const { capsule, overlayVersion: version } = await capstan.capsules.get(id, { settings });
  const before = capsule.overlay?.text ?? '';
  const after = await context.editText(before, `${id}.md`);
  if (after === undefined || after === before) {
    print(`  The overlay of ${id} is unchanged.`);
    return;
  }
  const options = { settings, by: 'terminal', version };
  const { findings, path } = await capstan.capsules.saveOverlay(id, after, options);
  const patch = createTwoFilesPatch('before', 'after', before, after, '', '', { context: 2 });
  const warnings = findings.flatMap(({ where, problem, fix }) => [
    `${style.yellow(symbols.notice)} ${escapeText(where)}: ${escapeText(problem)}`,
    `  ${escapeText(fix)}`,
  ]);
  const head = `${style.green(symbols.done)} Saved the overlay of ${id}: ${folderText(path, context.io.environment['HOME'])}`;
  print([head, ...drawDiff(patch, { style }), ...warnings].join('\n'));
}
