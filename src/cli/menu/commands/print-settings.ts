import { escapeText } from '../../../contract/text/escape-text.ts';
import { folderText } from '../../text/short-folder.ts';
import type { MenuContext } from '../program/create-context.ts';
import { cutEnd } from '../terminal/text-width.ts';

/** Layers that are not listed. The only flag is the folder of the conversation. */
const hiddenLayers: ReadonlySet<string> = new Set(['default', 'flag']);

/** `/settings`: the settings, their sources and the file to edit. Keys are masked already. */
export async function printSettings({ capstan, workspace, io, frame, print }: MenuContext) {
  const { values, places } = await capstan.settings.get({ workspace });
  const { symbols, style, width } = frame();
  const shown = values.filter(({ layer, value }) => !hiddenLayers.has(layer) && value !== null);
  const nameWidth = Math.max(0, ...shown.map(({ name }) => name.length));
  const rows = shown.map(({ name, value, layer, source }) => {
    const from = layer === 'environment' ? 'environment' : escapeText(source);
    const row = `  ${name.padEnd(nameWidth)}  ${escapeText(value ?? '')}${symbols.separator}${from}`;
    return cutEnd(row, width, symbols);
  });
  const file = folderText(`${places.configDir}/config.yaml`, io.environment['HOME']);
  print(
    [
      ...(rows.length > 0 ? rows : ['  Every setting has its default value.']),
      `  Yours are in ${file}`,
      style.dim('  capstan config show --all lists every setting'),
    ].join('\n'),
  );
}
