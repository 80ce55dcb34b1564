import { type Filled, type Form, form } from '../instruction/form.ts';
import { notSupported, shorten } from '../instruction/not-understood.ts';
import type { Act } from './file-tool.ts';

const why = 'Without a language model, no file is renamed, moved or deleted';

/** Forms for what is not done without a model: each fails and names the command that would do it. */
export const moveForms: readonly Form<Act>[] = [
  form('(?:delete|remove|erase|trash|unlink)(?: files?)? <files:file|glob+>', (filled) =>
    refuse(
      filled,
      `rm ${filled
        .atoms('files')
        .map(({ value }) => quoted(value))
        .join(' ')}`,
    ),
  ),
  form(
    '(?:rename|move)(?: file)? <files:file+> (?:to|into|as|in)(?: folder)? <target:file>',
    (filled) =>
      refuse(
        filled,
        `mv ${[...filled.atoms('files'), ...filled.atoms('target')].map(({ value }) => quoted(value)).join(' ')}`,
      ),
  ),
];

/** The same for any other words behind such a verb. */
export const anyMoveForms: readonly Form<Act>[] = [
  form('(?:rename|move|delete|remove|erase|trash|unlink)\\b.*', (filled) =>
    refuse(filled, 'mv old.txt new.txt'),
  ),
];

function refuse({ instruction }: Filled, command: string): never {
  throw notSupported(
    `"${shorten(instruction.task)}" was not done. ${why}. Give the exact command in back-ticks instead, such as: run \`${command}\`. Or choose a language model with CAPSTAN_PROVIDER.`,
  );
}

/** As one word of a shell; a pattern stays one. */
const quoted = (path: string) =>
  /^[\w./*?-]+$/.test(path) && !path.startsWith('-') ? path : `'${path.replaceAll("'", "'\\''")}'`;
