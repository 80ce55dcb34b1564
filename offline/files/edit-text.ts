import type { HandlerContext, Outcome } from '../context.ts';
import { type Filled, form, need } from '../phrases/form.ts';
import { TaskError } from '../task-error.ts';
import { findFile, readWhole } from './file-tool.ts';
import { many } from './listed.ts';
import { renderResults } from './results/render-results.ts';
import { foundBefore, rawText } from './results/results.ts';
import { MAX_CHANGED, pathsIn, scopesOf } from './which-files.ts';
import { changeChecked, keepBans, writeFor } from './write-checked.ts';

const write = '(write|save|put|store|create|make)';
const said =
  '[exact|following|single] [text|line|lines|content|contents|word|words|string|sentence|message|note]';
const newFile = '[new] [text] [file] [called|named] {file}';
const all =
  '[(all|every|each|any) [of]] [(occurrence|occurrences|instances?|places) of] [word|text|string|phrase]';
const targets = '[all|each|every] [files|file] {files:file|glob+} [files] [everywhere]';
const old = '({old:quote|code}|{bareOld:word})';
const by = '({new:quote|code}|{bareNew:word})';

/** Forms that write, append and replace. */
export const editForms = [
  form(
    writing,
    'Create notes.txt with the text "hello"',
    `${write} ${said} {content:quote} (to|into|in|as) ${newFile}`,
    `${write} ${newFile} [that|which] (with|containing|contains|contain|says|saying|holding) [only] ${said} [in it] {content:quote|fence}`,
    `${write} [this|following|text|content|it] (to|into|in|as) [new] [file] {file} {content:fence|quote}`,
    `${write} [file] {file} [with [following|this] [content|text]] {content:fence}`,
    `${write} ${newFile} [that|which] (says?|saying|reads?|reading) [just|only] {content:words}`,
    `${write} ${newFile} with {lines:n} lines? {content:words}`,
    '(create|make|write) ([new] empty [text] file [called|named]|empty) {file}',
    'touch {file}',
  ),
  form(
    (filled, context) => append(filled, context, need(filled, 'content')),
    'Append "one more line" to {file}',
    `(append|add) ${said} {content:quote|fence} (to|at|as last line of) [(end|bottom) of] [file] {file}`,
    '(append|add) [(this|following) [text|line|lines]] to [end of] [file] {file} {content:fence|quote}',
    `(append|add) ${said} {content:quote|fence} to {file} at end`,
  ),
  form(
    appendingResults,
    'Append the results to {file}',
    '(append|add) (it|them|results?|answers?|outputs?|findings|report|summary|this|that|everything|all of (it|them)) (to|at) [end of] [file] {file}',
  ),
  form(
    replacing,
    'Replace "old" with "new" in {file}',
    `(replace|substitute|swap) ${all} ${old} [everywhere] (with|by|through|for) ${by} [everywhere] in ${targets}`,
    `in ${targets} (replace|substitute|change) ${all} ${old} (with|by|to) ${by} [everywhere]`,
    `(change|edit|turn) ${all} ${old} [everywhere] (to|into) ${by} [everywhere] in ${targets}`,
    `remove ${all} {old:quote|code} [everywhere] from ${targets}`,
  ),
];

function writing(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const path = need(filled, 'file');
  const isFenced = filled.tokens('content')[0]?.kind === 'fence';
  const content = `${contentOf(filled)}${isFenced ? '\n' : ''}`;
  return writeFor(filled, context, { path, content, reason: `Wrote ${path}` });
}

/** The text in a task; of `two lines: a and b`, the lines. */
function contentOf(filled: Filled): string {
  const content = filled.text('content') ?? '';
  const count = filled.number('lines');
  if (count === undefined) return content;
  const lines = content.split(/\s*,\s*(?:and\s+)?|\s+and\s+/);
  if (lines.length === count) return `${lines.join('\n')}\n`;
  throw new TaskError(
    'NOT_UNDERSTOOD',
    `"${content}" is ${lines.length} lines, not ${count}. Put the text in a fence.`,
  );
}

/** The appended text starts on a new line and ends with a line break. */
async function append(filled: Filled, context: HandlerContext, content: string): Promise<Outcome> {
  const path = need(filled, 'file');
  await keepBans(filled, context, path);
  const isThere = (await findFile(context, path)) !== undefined;
  const before = isThere ? (await readWhole(context, path)).content : '';
  const joint = before === '' || before.endsWith('\n') ? '' : '\n';
  const added = `${joint}${content.replace(/\n$/, '')}\n`;
  const lines = many(added.trim().split('\n').length, 'line');
  const reason = `Appended ${lines} to ${path}${before === '' ? ', which was new or empty' : ''}`;
  const args = { operation: 'append', path, content: added };
  await changeChecked(context, args, { content: before + added, reason });
  return {
    text: `${reason} (read back and compared).`,
    data: { written: [{ path, bytes: Buffer.byteLength(before + added) }] },
  };
}

function appendingResults(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const found = foundBefore(context.results);
  const [only] = found;
  if (only === undefined)
    throw new TaskError(
      'NOTHING_TO_SAVE',
      'No earlier step found anything that could be appended.',
    );
  const raw = found.length === 1 ? rawText(only) : undefined;
  const rendering = { format: 'text', title: undefined, part: 'all' } as const;
  return append(filled, context, raw ?? renderResults(found, rendering));
}

async function replacing(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const [old, by] = [literal(filled, 'old', 'bareOld'), literal(filled, 'new', 'bareNew')];
  if (old === '')
    throw new TaskError(
      'INPUT_INVALID',
      'The text to replace is empty. Write it between the quotes.',
    );
  const files: { path: string; count: number; content: string }[] = [];
  for (const path of await pathsIn(context, scopesOf(filled), MAX_CHANGED)) {
    const { content } = await readWhole(context, path);
    files.push({ path, count: content.split(old).length - 1, content });
  }
  const hits = files.filter(({ count }) => count > 0);
  if (hits.length === 0)
    throw new TaskError(
      'NOT_FOUND',
      `"${old}" does not occur in ${files.map(({ path }) => path).join(', ')}; nothing was changed. Letter case counts.`,
    );
  for (const { path } of hits) await keepBans(filled, context, path);
  for (const { path, content } of hits) {
    const args = { operation: 'edit', path, old_text: old, new_text: by, replace_all: true };
    await changeChecked(context, args, {
      content: content.replaceAll(old, () => by),
      reason: `Replace "${old}" with "${by}" in ${path}`,
    });
  }
  const lines = files.map(({ path, count }) => `- ${path}: ${count} replaced`);
  return {
    text: `Replaced "${old}" with "${by}" (read back and compared):\n\n${lines.join('\n')}`,
    data: {
      written: hits.map(({ path }) => ({ path })),
      columns: ['path', 'replaced'],
      rows: files.map(({ path, count }) => [path, count]),
    },
  };
}

/**
 * A quoted text, or a bare word that can only be meant literally: a name, a number, an identifier.
 *
 * @throws TaskError `NOT_UNDERSTOOD` for words such as `tabs` or `everything`, which may describe the text.
 */
function literal(filled: Filled, quoted: string, bare: string): string {
  const text = filled.text(quoted);
  const word = filled.text(bare) ?? '';
  if (text !== undefined || word === '' || /[\p{Lu}\d_.$@#]/u.test(word)) return text ?? word;
  throw new TaskError(
    'NOT_UNDERSTOOD',
    `"${word}" may be the text itself or stand for something else. Put it in quotes if it is the text: replace "old" with "new".`,
  );
}
