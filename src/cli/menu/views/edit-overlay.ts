import { createTwoFilesPatch } from 'diff';
import type { ListedCapsule } from '../../../app/capsules/list-capsules.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { folderText } from '../../text/short-folder.ts';
import { drawDiff } from '../draw/draw-diff.ts';
import type { MenuContext } from '../program/create-context.ts';

/**
 * Opens a capsule's overlay in the editor, saves it, and prints its changes and findings.
 *
 * @throws AppError `OVERLAY_CHANGED` if it was saved elsewhere meanwhile; `OVERLAY_INVALID`.
 */
export async function editOverlay(
  context: MenuContext,
  { id }: ListedCapsule['capsule'],
): Promise<void> {
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
