import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { type Bench, openBench } from '../../test/sentences/handler-context.ts';
import { workOnFiles } from './file-forms.ts';

const notes =
  '# Plan\n\n## Launch\n\n- [ ] Call Tom\n- [x] Print flyers\n\n## Later\n\n- [ ] Rest\n';

let bench: Bench;
afterEach(() => bench.remove());

async function changed(task: string, files: Record<string, string> = { 'notes.md': notes }) {
  bench = await openBench(files);
  await workOnFiles(bench.context(task));
  return (path: string) => readFileSync(join(bench.workspace, path), 'utf8');
}

it('ticks off the one open task that is meant', async () => {
  const read = await changed("Tick off 'Call Tom' in notes.md");
  expect(read('notes.md')).toBe(notes.replace('[ ] Call Tom', '[x] Call Tom'));
});

it('ticks off a task that stands without quotes', async () => {
  const read = await changed('tick off call tom in notes.md');
  expect(read('notes.md')).toBe(notes.replace('[ ] Call Tom', '[x] Call Tom'));
});

it('deletes a line by its whole text', async () => {
  const read = await changed('delete the line "- [x] Print flyers" from notes.md');
  expect(read('notes.md')).toBe(notes.replace('- [x] Print flyers\n', ''));
});

it.each([
  ['Delete line 2 of a.txt', 'a\nc\n'],
  ['Delete the 2nd line of a.txt', 'a\nc\n'],
  ['Remove the last line of a.txt', 'a\nb\n'],
])('%s', async (task, expected) => {
  const read = await changed(task, { 'a.txt': 'a\nb\nc\n' });
  expect(read('a.txt')).toBe(expected);
});

it('deletes the only line with some words, and none if there are several', async () => {
  const text = 'The code of the gate is 4.\nA gate.\nCode.\n';
  const read = await changed('remove the line with the gate code from a.txt', { 'a.txt': text });
  expect(read('a.txt')).toBe('A gate.\nCode.\n');
  await expect(changed('remove the line with gate from a.txt', { 'a.txt': text })).rejects.toThrow(
    'if you mean all of them',
  );
});

it('removes the later ones of equal lines', async () => {
  const read = await changed('Remove the duplicate lines from a.txt', { 'a.txt': 'b\na\nb\n' });
  expect(read('a.txt')).toBe('b\na\n');
});

it('adds a task at the end of a section, in the style of the tasks there', async () => {
  const read = await changed('Add the task "Send invoices" under Launch in notes.md');
  expect(read('notes.md')).toBe(
    notes.replace('- [x] Print flyers\n', '- [x] Print flyers\n- [ ] Send invoices\n'),
  );
});

it.each(['Add "milk" to the shopping list in a.md', 'add "milk" to my work list in shop.md'])(
  'changes nothing for %s, a text with another heading',
  async (task) => {
    const texts = { 'a.md': '# Work\n\n- [ ] x\n', 'shop.md': '- [ ] eggs\n' };
    await expect(changed(task, texts)).rejects.toThrow('has no heading');
    for (const [path, text] of Object.entries(texts))
      expect(readFileSync(join(bench.workspace, path), 'utf8')).toBe(text);
  },
);

it.each([
  ['Add "milk" to the shopping list in a.md', '# Shopping\n\n- [ ] eggs\n'],
  ['Add "milk" to the todo list in a.md', '- [ ] eggs\n'],
])('%s, a text of one list', async (task, text) => {
  const read = await changed(task, { 'a.md': text });
  expect(read('a.md')).toBe(`${text}- [ ] milk\n`);
});

it.each([
  ['Fix the typo "teh" in a.txt, it should be "the"', 'the tehran category cat'],
  ['Fix cat to dog in a.txt', 'teh tehran category dog'],
])('%s: whole words only', async (task, expected) => {
  const read = await changed(task, { 'a.txt': 'teh tehran category cat' });
  expect(read('a.txt')).toBe(expected);
});

it('changes a value on the one line that names it', async () => {
  const text = '{\n  "version": "0.3.1",\n  "other": "0.3.1"\n}\n';
  const read = await changed('change the version in package.json from 0.3.1 to 0.4.0', {
    'package.json': text,
  });
  expect(read('package.json')).toBe(text.replace('"version": "0.3.1"', '"version": "0.4.0"'));
});

it('writes text and lines that stand without quotes', async () => {
  const read = await changed('make a file hello.txt that says Hello Mara', {});
  expect(read('hello.txt')).toBe('Hello Mara');
  bench.remove();
  const lines = await changed('create todo.txt with two lines: buy stamps and call Jon', {});
  expect(lines('todo.txt')).toBe('buy stamps\ncall Jon\n');
});

it('writes the first lines of a file to another', async () => {
  const read = await changed('put the first two lines of a.log into b.log', {
    'a.log': 'one\ntwo\nthree\n',
  });
  expect(read('b.log')).toBe('one\ntwo\n');
});

it('moves files of a kind, if there are as many as the task says', async () => {
  const files = { 'a.log': 'a', 'b.log': 'b' };
  const read = await changed('move the two log files into a folder called logs', files);
  expect([read('logs/a.log'), read('logs/b.log')]).toEqual(['a', 'b']);
  bench.remove();
  await expect(changed('move the three log files into logs', files)).rejects.toThrow(
    'There are 2 files',
  );
});

it.each([
  ["tick off 'Nobody' in notes.md", 'no open task'],
  ['delete the line "nothing" from notes.md', 'no line'],
  ['add the task "x" under Nowhere in notes.md', 'no heading "Nowhere". It has: # Plan, ## Launch'],
  ['add "milk" to the shopping list in notes.md', 'no heading "shopping"'],
  ['create a.txt with three lines: a and b', 'not 3'],
])('changes nothing for %s', async (task, problem) => {
  await expect(changed(task)).rejects.toThrow(problem);
  expect(readFileSync(join(bench.workspace, 'notes.md'), 'utf8')).toBe(notes);
});
