import type { HandlerContext, Outcome } from '../context.ts';
import { type Filled, form, need } from '../phrases/form.ts';
import { TaskError } from '../task-error.ts';
import { readWhole } from './file-tool.ts';
import { keepBans } from './keep-bans.ts';
import { writeChecked } from './write-checked.ts';

/** Forms that change one value of a JSON file. */
export const valueForms = [
  form(
    setting,
    'Set "debug" to true in {file}',
    'set [value of] [key|setting|option|field] ({key:quote|code}|{key:word}) to ({value:quote|code}|{bare:n}|{bare:word}) in [file] {file:file}',
    'in [file] {file:file} set [value of] [key|setting|option|field] ({key:quote|code}|{key:word}) to ({value:quote|code}|{bare:n}|{bare:word})',
  ),
];

const anyValue = '"(?:[^"\\\\\\n]|\\\\.)*"|-?\\d[\\d.eE+-]*|true|false|null';

/** @throws TaskError `NOT_SUPPORTED`, `INPUT_INVALID`, `NOT_FOUND` or `AMBIGUOUS`; nothing is written then. */
async function setting(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const [path, key] = [need(filled, 'file'), need(filled, 'key')];
  if (!/\.json$/i.test(path))
    throw new TaskError(
      'NOT_SUPPORTED',
      `Values are set in .json files only. For ${path}, say: Replace "old text" with "new text" in ${path}.`,
    );
  await keepBans(context, filled.instruction, path);
  const { content } = await readWhole(context, path);
  checkJson(content, path);
  const place = onlyPlace(content, { key, path });
  const said = filled.text('value') ?? need(filled, 'bare');
  const isText = filled.text('value') !== undefined || place.old.startsWith('"');
  const value = isText || !isLiteral(said) ? JSON.stringify(said) : said;
  const after = content.slice(0, place.at) + value + content.slice(place.at + place.old.length);
  const bytes = await writeChecked(context, {
    path,
    content: after,
    reason: `Set ${key} to ${value} in ${path}`,
  });
  return {
    text: `Set "${key}" in ${path} from ${place.old} to ${value} (read back and compared).`,
    data: { written: [{ path, bytes }] },
  };
}

function checkJson(content: string, path: string): void {
  try {
    JSON.parse(content);
  } catch (error) {
    throw new TaskError(
      'INPUT_INVALID',
      `${path} is not valid JSON: ${(error as Error).message}. Nothing was changed: correct the file first.`,
    );
  }
}

const isLiteral = (said: string) => /^(?:true|false|null|-?\d+(?:\.\d+)?)$/.test(said);

interface Place {
  readonly at: number;
  readonly old: string;
}

/** The position of a key's value in the text. The key must occur once, with a text, number, boolean or null. */
function onlyPlace(
  content: string,
  { key, path }: { readonly key: string; readonly path: string },
): Place {
  const name = JSON.stringify(key).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const found = [
    ...content.matchAll(new RegExp(`(?<before>${name}\\s*:\\s*)(?<old>${anyValue})`, 'g')),
  ];
  const [match] = found;
  if (match !== undefined && found.length === 1)
    return {
      at: match.index + (match.groups?.['before'] ?? '').length,
      old: match.groups?.['old'] ?? '',
    };
  if (match !== undefined)
    throw new TaskError(
      'AMBIGUOUS',
      `${path} has "${key}" ${found.length} times; nothing was changed. Replace a longer text that occurs once.`,
    );
  const keys = [...content.matchAll(/"([^"\\\n]+)"\s*:/g)].map(([, one]) => one);
  throw new TaskError(
    'NOT_FOUND',
    `${path} has no simple value "${key}"; nothing was changed. It has: ${[...new Set(keys)].slice(0, 20).join(', ')}.`,
  );
}
