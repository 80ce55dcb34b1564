import type { Outcome } from '../context.ts';
import { formsOf, type Step } from '../phrases/form.ts';
import { fail } from '../task-error.ts';
import { findFile, many, readWhole } from './file-tool.ts';
import { renderResults } from './results/render-results.ts';
import { foundBefore } from './results/results.ts';
import { MAX_CHANGED, pathsIn, scopesOf } from './which-files.ts';
import { keepBans, writeChecked, writeFor } from './write-checked.ts';

/** Forms that write, append and replace. */
export const editForms = formsOf(
  `
write = (write|save|put|store|create|make)
file = <newFile> {file}
said = [exact|following|single] [text|line|lines|content|contents|word|words|string|sentence|message|note]
this = [(this|following) [text|line|lines]]
all = [(all|every|each|any) [of]] [(occurrence|occurrences|instances?|places) of] [word|text|string|phrase]
targets = [all|each|every] ([files|file] {files:file|glob+} [files]|{kind:ending} files) [everywhere]
old = <all> ({old:quote|code}|{bareOld:word}) [everywhere]
new = ({new:quote|code}|{bareNew:word}) [everywhere]
writing: Create notes.txt with the text "hello"
  <write> <said> {content:quote} (to|into|in|as) <file>
  <write> <file> [that|which] (with|containing|contains|contain|says|saying|holding) [only] <said> [in it] {content:quote|fence}
  <write> [this|following|text|content|it] (to|into|in|as) <file> {content:fence|quote}
  <write> <file> [with [following|this] [content|text]] {content:fence}
  <write> <file> [that|which] (says?|saying|reads?|reading) [just|only] {content:words}
  <write> <file> with {lines:n} lines? {content:words}
  (create|make|write) ([new] empty <newFile>|empty) {file}
  touch {file}
appending: Append "one more line" to {file}
  (append|add) <said> {content:quote|fence} (to|at|as last line of) [(end|bottom) of] [file] {file} [at end]
  (append|add) <this> to [end of] [file] {file} {content:fence|quote}
appendingResults: Append the results to {file}
  (append|add) (it|them|results?|answers?|outputs?|findings|report|summary|this|that|everything|all of (it|them)) (to|at) [end of] [file] {file}
replacing: Replace "old" with "new" in {file}
  (replace|substitute|swap) <old> (with|by|through|for) <new> in <targets>
  in <targets> (replace|substitute|change) <old> (with|by|to) <new>
  (change|edit|turn) <old> (to|into) <new> in <targets>
  remove <all> {old:quote|code} [everywhere] from <targets>
`,
  {
    ...{ writing, appendingResults, replacing },
    appending: (step) => append(step, step.text('content')),
  },
);

function writing(step: Step): Promise<Outcome> {
  const path = step.text('file');
  const isFenced = step.tokens('content')[0]?.kind === 'fence';
  const content = `${contentOf(step)}${isFenced ? '\n' : ''}`;
  return writeFor(step, { path, content, reason: `Wrote ${path}` });
}

/** The text in a task; of `two lines: a and b`, the lines. */
function contentOf(step: Step): string {
  const [content, count] = [step.text('content'), step.number('lines')];
  if (count === undefined) return content;
  const lines = content.split(/\s*,\s*(?:and\s+)?|\s+and\s+/);
  if (lines.length === count) return `${lines.join('\n')}\n`;
  const how = 'Put the text in a fence.';
  return fail('NOT_UNDERSTOOD', `"${content}" is ${lines.length} lines, not ${count}. ${how}`);
}

/** The appended text starts on a new line and ends with a line break. */
async function append(step: Step, content: string): Promise<Outcome> {
  const path = step.text('file');
  await keepBans(step, [path]);
  const isThere = (await findFile(step, path)) !== undefined;
  const before = isThere ? (await readWhole(step, path)).content : '';
  const joint = before === '' || before.endsWith('\n') ? '' : '\n';
  const added = `${joint}${content.replace(/\n$/, '')}\n`;
  const lines = many(added.trim().split('\n').length, 'line');
  const reason = `Appended ${lines} to ${path}${before === '' ? ', which was new or empty' : ''}`;
  const writing = { path, content: before + added, reason };
  const args = { operation: 'append', content: added };
  const bytes = await writeChecked(step, writing, args);
  return { text: `${reason} (read back and compared).`, data: { written: [{ path, bytes }] } };
}

function appendingResults(step: Step): Promise<Outcome> {
  const found = foundBefore(step.results);
  if (found.length === 0) fail('NOTHING_TO_SAVE', 'No earlier step found anything to append.');
  const part = found.length === 1 ? 'raw' : 'all';
  return append(step, renderResults(found, { format: 'text', title: '', part }));
}

async function replacing(step: Step): Promise<Outcome> {
  const [old, by] = [literal(step, 'old', 'bareOld'), literal(step, 'new', 'bareNew')];
  if (old === '') fail('INPUT_INVALID', 'The text to replace is empty.');
  const paths = await pathsIn(step, scopesOf(step), MAX_CHANGED);
  const files: { path: string; count: number; content: string }[] = [];
  for (const path of paths) {
    const { content } = await readWhole(step, path);
    files.push({ path, count: content.split(old).length - 1, content });
  }
  const hits = files.filter(({ count }) => count > 0);
  if (hits.length === 0)
    fail('NOT_FOUND', `"${old}" does not occur in ${paths.join(', ')}. Letter case counts.`);
  const hitPaths = hits.map(({ path }) => path);
  await keepBans(step, hitPaths);
  for (const { path, content } of hits) {
    const reason = `Replace "${old}" with "${by}" in ${path}`;
    const writing = { path, content: content.replaceAll(old, () => by), reason };
    const args = { operation: 'edit', old_text: old, new_text: by, replace_all: true };
    await writeChecked(step, writing, args);
  }
  const lines = files.map(({ path, count }) => `- ${path}: ${count} replaced`);
  const rows = files.map(({ path, count }) => [path, count]);
  return {
    text: `Replaced "${old}" with "${by}" (read back and compared):\n\n${lines.join('\n')}`,
    data: { written: hitPaths.map((path) => ({ path })), columns: ['path', 'replaced'], rows },
  };
}

/**
 * A quoted text, or a bare word that can only be meant literally: a name, a number, an identifier.
 *
 * @throws TaskError `NOT_UNDERSTOOD` for words such as `tabs` or `everything`, which may describe the text.
 */
function literal(step: Step, quoted: string, bare: string): string {
  const word = step.text(bare);
  if (step.has(quoted) || word === '' || /[\p{Lu}\d_.$@#]/u.test(word))
    return step.text(quoted) || word;
  const how = 'Put it in quotes if it is the text: replace "old" with "new".';
  return fail('NOT_UNDERSTOOD', `"${word}" may be the text itself or describe it. ${how}`);
}
