import type { Outcome } from '../context.ts';
import { formsOf, type Step } from '../phrases/form.ts';
import { fail } from '../task-error.ts';
import { findFile, many, readWhole } from './file-tool.ts';
import { isLiteral, replacementOf } from './replacement.ts';
import { foundBefore, renderResults } from './results/render-results.ts';
import { cellMeant, writeCell } from './set-cell.ts';
import { setAssigned, setValue } from './set-value.ts';
import { MAX_CHANGED, pathsIn, scopesOf } from './which-files.ts';
import { type Writing, writeFiles } from './write-checked.ts';

/** Forms that write, append and replace. */
export const editForms = formsOf(
  `
write = (write|save|put|store|create|make)
file = <newFile> {file}
said = [exact|following|single] [text|line|lines|content|contents|word|words|string|sentence|message|note]
this = [(this|following) [text|line|lines]]
all = [(all|every|each|any) [of]] [(occurrence|occurrences|instances?|places) of] [word|text|string|phrase]
targets = [all|each|every] ([files|file] {files:file|glob+} [files|<fold>]|{kind:ending} files|{folder:name} <fold>|{dirs:name} and {dirs:name} [folders|directories]) [everywhere]
old = <all> [key|value of|setting|option] ({old:quote|code}|{bareOld:file}|{bareOld:words}) [everywhere]
new = ({new:quote|code}|{bareNew:words}) [everywhere]
writing: Create notes.txt with the text "hello"
  <write> <said> {content:quote} (to|into|in|as) <file>
  <write> <file> [that|which] (with|containing|contains|contain|says|saying|holding) [only] <said> [in it] {content:quote|code|fence} [in it]
  <write> [this|following|text|content|it] (to|into|in|as) <file> {content:fence|quote}
  <write> <file> [with [following|this] [content|text]] {content:fence}
  <write> <file> [that|which] (says?|saying|reads?|reading) [just|only] {content:words}
  <write> <file> with {lines:n} lines? {content:words}
  <write> <file> with {bareContent:word|file} in it
  ((create|make|write) ([new] empty <newFile>|empty)|touch) {file}
appending: Append "one more line" to {file}
  (append|add|put|insert|write) <said> {content:quote|fence} (to|at|as last line of|into|in) [(end|bottom) of] [file] {file} [at end]
appendingResults: Append the results to {file}
  (append|add) (it|them|results?|answers?|outputs?|findings|report|summary|this|that|everything|all of (it|them)) (to|at) [end of] [file] {file}
replacing: Replace "old" with "new" in {file}
  (replace|substitute|swap) <old> (with|by|through|for) <new> in <targets>
  in <targets> (replace|substitute) <old> (with|by) <new>
  in <targets> verb:(change|turn|set|update|rename) <old> (to|into|with|by) <new>
  verb:(change|edit|turn|rename|set|update|bump) <old> (to|into) <new> (in|inside|across) <targets>
  verb:(change|set|update|bump|edit) <old> (in|of) [file] {files:file} to <new>
  remove <all> {old:quote|code} [everywhere] from <targets>
  fix:(fix|correct) [spelling of|typo|misspelling] {old:quote|code|word} (in <targets> [it] (should be|must be|to|is) {new:quote|code|word}|(to|into) {new:quote|code|word} in <targets>)
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
  return writeFiles(step, { path, content, reason: `Wrote ${path}` });
}

/** The text to write. `two lines: a and b` becomes one line for each part. */
function contentOf(step: Step): string {
  const bare = step.text('bareContent');
  if (bare !== '' && !isLiteral(bare))
    fail('NOT_UNDERSTOOD', `"${bare}" may be the text itself or describe it. Put it in quotes.`);
  const [content, count] = [step.text('content') || bare, step.number('lines')];
  if (count === undefined) return content;
  const lines = content.split(/\s*,\s*(?:and\s+)?|\s+and\s+/);
  if (lines.length === count) return `${lines.join('\n')}\n`;
  const how = 'Put the text in a fence.';
  return fail('NOT_UNDERSTOOD', `"${content}" is ${lines.length} lines, not ${count}. ${how}`);
}

/** Appends a text, on new lines and with a line break at its end. */
async function append(step: Step, content: string): Promise<Outcome> {
  const path = step.text('file');
  const isThere = (await findFile(step, path)) !== undefined;
  const before = isThere ? (await readWhole(step, path)).content : '';
  const joint = before === '' || before.endsWith('\n') ? '' : '\n';
  const added = `${joint}${content.replace(/\n$/, '')}\n`;
  const lines = many(added.trim().split('\n').length, 'line');
  const reason = `Appended ${lines} to ${path}${before === '' ? ', which was new or empty' : ''}`;
  const args = { operation: 'append', content: added };
  return writeFiles(step, { path, content: before + added, reason, args });
}

function appendingResults(step: Step): Promise<Outcome> {
  const found = foundBefore(step.results);
  if (found.length === 0) fail('NOTHING_TO_SAVE', 'No earlier step found anything to append.');
  const part = found.length === 1 ? 'raw' : 'all';
  return append(step, renderResults(found, { format: 'text', title: '', part }));
}

/** Sets a value of a JSON file or a cell of a table, if the step names one. */
async function setIn(step: Step, path: string): Promise<Outcome | undefined> {
  const [isBare, isSet] = [step.has('bareOld'), step.word('verb') === 'set'];
  if (/\.json$/i.test(path) && (isBare || isSet)) return setValue(step, path);
  const cell = isBare ? await cellMeant(step) : undefined;
  if (cell !== undefined) return writeCell(step, cell);
  const assigned = isBare && (await setAssigned(step, path));
  if (assigned) return assigned;
  const how = `say: Replace "old text" with "new text" in ${path}`;
  return isSet ? fail('NOT_SUPPORTED', `No value of ${path} has that name: ${how}.`) : undefined;
}

async function replacing(step: Step): Promise<Outcome> {
  const paths = await pathsIn(step, scopesOf(step), MAX_CHANGED);
  const set =
    step.has('verb') && paths.length === 1 ? await setIn(step, paths[0] ?? '') : undefined;
  if (set !== undefined) return set;
  const { old, by, pattern, isWord } = replacementOf(step);
  const edit = { operation: 'edit', old_text: old, new_text: by, replace_all: true };
  const rows: [path: string, count: number][] = [];
  const writings: Writing[] = [];
  for (const path of paths) {
    const { content: before } = await readWhole(step, path);
    const content = before.replace(pattern, () => by);
    const reason = `Replace "${old}" with "${by}" in ${path}`;
    const count = before.match(pattern)?.length ?? 0;
    rows.push([path, count]);
    if (count > 0) writings.push({ path, content, reason, args: isWord ? undefined : edit });
  }
  if (writings.length === 0)
    fail('NOT_FOUND', `"${old}" does not occur in ${paths.join(', ')} in this letter case.`);
  const { data } = await writeFiles(step, ...writings);
  const lines = rows.map(([path, count]) => `- ${path}: ${count} replaced`);
  return {
    text: `Replaced "${old}" with "${by}" (read back and compared):\n\n${lines.join('\n')}`,
    data: { ...data, columns: ['path', 'replaced'], rows },
  };
}
