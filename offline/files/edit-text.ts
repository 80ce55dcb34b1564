import type { HandlerContext, Outcome } from '../context.ts';
import { type Filled, form, need } from '../phrases/form.ts';
import { TaskError } from '../task-error.ts';
import { assertHolds, findFile, listFolder, readWhole } from './file-tool.ts';
import { keepBans } from './keep-bans.ts';
import { renderResults } from './results/render-results.ts';
import { foundBefore, rawText } from './results/results.ts';
import { writeChecked } from './write-checked.ts';

const write = '(write|save|put|store|create|make)';
const said =
  '[exact|following|single] [text|line|lines|content|contents|word|words|string|sentence|message|note]';
const all =
  '[(all|every|each|any) [of]] [(occurrence|occurrences|instances?|places) of] [word|text|string|phrase]';
const targets = '[all|each|every] [files|file] {targets:file|glob+} [files] [everywhere]';
const old = '{old:quote|code}';
const bareOld = '({old:quote|code}|{bareOld:word})';
const bareNew = '({new:quote|code}|{bareNew:word})';

/** Forms that write, append and replace. */
export const editForms = [
  form(
    writing,
    'Create notes.txt with the text "hello"',
    `${write} ${said} {content:quote} (to|into|in|as) [new] [text] [file] [called|named] {file}`,
    `${write} [new] [text] [file] [called|named] {file} [that|which] (with|containing|contains|contain|says|saying|holding) [only] ${said} [in it] {content:quote|fence}`,
    `${write} [this|following|text|content|it] (to|into|in|as) [new] [file] {file} {content:fence|quote}`,
    `${write} [file] {file} [with [following|this] [content|text]] {content:fence}`,
    `${write} [new] [text] [file] [called|named] {file} [that|which] (says?|saying|reads?|reading) [just|only] {content:words}`,
    `${write} [new] [text] [file] [called|named] {file} with {lines:n} lines? {content:words}`,
    '(create|make|write) [new] empty [text] file [called|named] {file}',
    '(create|make) empty {file}',
    'touch {file}',
  ),
  form(
    appending,
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
    `(replace|substitute|swap) ${all} ${old} [everywhere] (with|by|through|for) {new:quote|code} [everywhere] in ${targets}`,
    `(replace|substitute) ${all} ${bareOld} [everywhere] (with|by) ${bareNew} [everywhere] in ${targets}`,
    `in ${targets} (replace|substitute|change) ${all} ${bareOld} (with|by|to) ${bareNew} [everywhere]`,
    `(change|edit|turn) ${all} ${bareOld} [everywhere] (to|into) ${bareNew} [everywhere] in ${targets}`,
    `remove ${all} ${old} [everywhere] from ${targets}`,
  ),
];

async function writing(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const path = need(filled, 'file');
  await keepBans(context, filled.instruction, path);
  const [given] = filled.tokens('content');
  const content = given?.kind === 'fence' ? `${given.text}\n` : contentOf(filled);
  const bytes = await writeChecked(context, {
    path,
    content,
    reason: 'Write the text that the task gives',
  });
  return {
    text: `Wrote ${path} (${bytes} bytes, read back and compared).`,
    data: { written: [{ path, bytes }] },
  };
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
async function append(context: HandlerContext, filled: Filled, content: string): Promise<Outcome> {
  const path = need(filled, 'file');
  await keepBans(context, filled.instruction, path);
  const isThere = (await findFile(context, path)) !== undefined;
  const before = isThere ? (await readWhole(context, path)).content : '';
  const joint = before === '' || before.endsWith('\n') ? '' : '\n';
  const added = `${joint}${content.replace(/\n$/, '')}\n`;
  const args = { operation: 'append', path, content: added };
  await context.call('file_io', args, `Append to ${path} what the task asks for`);
  await assertHolds(context, path, before + added);
  context.artifact(path);
  const lines = added.trim().split('\n').length;
  return {
    text: `Appended ${lines} ${lines === 1 ? 'line' : 'lines'} to ${path}${before === '' ? ', which was new or empty' : ''} (read back and compared).`,
    data: { written: [{ path, bytes: Buffer.byteLength(before + added) }] },
  };
}

function appending(filled: Filled, context: HandlerContext): Promise<Outcome> {
  return append(context, filled, need(filled, 'content'));
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
  return append(context, filled, raw ?? renderResults(found, rendering));
}

async function replacing(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const old = literal(filled, 'old', 'bareOld');
  const replacement = literal(filled, 'new', 'bareNew');
  if (old === '')
    throw new TaskError(
      'INPUT_INVALID',
      'The text to replace is empty. Write it between the quotes.',
    );
  const counts: { path: string; count: number; content: string }[] = [];
  for (const path of await targetsOf(context, filled)) {
    const { content } = await readWhole(context, path);
    counts.push({ path, count: content.split(old).length - 1, content });
  }
  const hits = counts.filter(({ count }) => count > 0);
  if (hits.length === 0)
    throw new TaskError(
      'NOT_FOUND',
      `"${old}" does not occur in ${counts.map(({ path }) => path).join(', ')}; nothing was changed. Letter case counts.`,
    );
  for (const { path } of hits) await keepBans(context, filled.instruction, path);
  for (const { path, content } of hits)
    await replaceIn(context, { path, content, old, replacement });
  const lines = counts.map(({ path, count }) => `${path}: ${count} replaced`);
  return {
    text: `Replaced "${old}" with "${replacement}" (read back and compared):\n\n- ${lines.join('\n- ')}`,
    data: {
      written: hits.map(({ path }) => ({ path })),
      columns: ['path', 'replaced'],
      rows: counts.map(({ path, count }) => [path, count]),
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
  if (text !== undefined) return text;
  const word = filled.text(bare) ?? '';
  if (word === '' || /[\p{Lu}\d_.$@#]/u.test(word)) return word;
  throw new TaskError(
    'NOT_UNDERSTOOD',
    `"${word}" may be the text itself or stand for something else. Put it in quotes if it is the text: replace "old" with "new".`,
  );
}

interface Replacement {
  readonly path: string;
  readonly content: string;
  readonly old: string;
  readonly replacement: string;
}

async function replaceIn(
  context: HandlerContext,
  { path, content, old, replacement }: Replacement,
): Promise<void> {
  const args = { operation: 'edit', path, old_text: old, new_text: replacement, replace_all: true };
  await context.call('file_io', args, `Replace "${old}" with "${replacement}" in ${path}`);
  const wanted = content.replaceAll(old, () => replacement);
  await assertHolds(context, path, wanted);
  context.artifact(path);
}

/** Most files that are changed in one step. */
export const MAX_CHANGED = 10;

async function targetsOf(context: HandlerContext, filled: Filled): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const { kind, text } of filled.tokens('targets')) {
    if (kind === 'file') paths.push(text);
    else if (kind === 'glob') paths.push(...(await matching(context, text)));
  }
  return [...new Set(paths)];
}

/** @throws TaskError `NOT_FOUND`, or `INPUT_TOO_LARGE` over 10 files. */
export async function matching(
  context: HandlerContext,
  pattern: string,
): Promise<readonly string[]> {
  const glob = pattern.startsWith('.') ? `*${pattern}` : pattern;
  const globs = [glob.includes('/') ? glob : `**/${glob}`];
  const { entries, truncated } = await listFolder(context, '.', { globs, recursive: true });
  const files = entries.filter((entry) => entry.kind === 'file').map(({ path }) => path);
  if (files.length === 0) throw new TaskError('NOT_FOUND', `No file matches ${pattern}.`);
  if (truncated || files.length > MAX_CHANGED)
    throw new TaskError(
      'INPUT_TOO_LARGE',
      `${files.length} files match ${pattern}; at most ${MAX_CHANGED} are changed in one step.`,
    );
  return files;
}
