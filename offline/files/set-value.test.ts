import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { type Bench, openBench } from '../../test/sentences/handler-context.ts';
import { workOnFiles } from './file-forms.ts';

let bench: Bench;
afterEach(() => bench.remove());

const config =
  '{\n  "debug": false,\n  "port": "80",\n  "a": {"name": "x", "port": 1},\n  "b": {"name": "y"}\n}\n';

async function after(task: string): Promise<string> {
  bench = await openBench({ 'config.json': config });
  await workOnFiles(bench.context(task));
  return readFileSync(join(bench.workspace, 'config.json'), 'utf8');
}

it.each([
  ['Set debug to true in config.json', config.replace('false', 'true')],
  ['In config.json, set "debug" to 3', config.replace('false', '3')],
  ['Set debug to "true" in config.json', config.replace('false', '"true"')],
  ['Set port to 8080 in config.json', config.replace('"80"', '"8080"')],
])('%s: changes that value alone', async (task, expected) => {
  expect(await after(task)).toBe(expected);
});

it.each([
  ['Set name to z in config.json', 'AMBIGUOUS'],
  ['Set colour to red in config.json', 'NOT_FOUND'],
  ['Set debug to true in app.ini', 'NOT_SUPPORTED'],
])('%s: %s', async (task, code) => {
  await expect(after(task)).rejects.toMatchObject({ code });
  expect(readFileSync(join(bench.workspace, 'config.json'), 'utf8')).toBe(config);
});

const texts = {
  'due.py': 'DAYS = 14  # days\nNAME = "a"\nPLACE = \'b\'\n',
  'notes.md': 'Total: 14\n',
  'app.yaml': 'port: 80\n',
};

/** The texts after a task, joined. */
async function textsAfter(task: string): Promise<string> {
  bench = await openBench(texts);
  await workOnFiles(bench.context(task));
  return textsNow();
}

const textsNow = () =>
  Object.keys(texts)
    .map((path) => readFileSync(join(bench.workspace, path), 'utf8'))
    .join('');

const before = Object.values(texts).join('');

it.each([
  ['Change DAYS to 21 in due.py', before.replace('14', '21')],
  ['Set NAME to b in due.py', before.replace('"a"', '"b"')],
  ['Set NAME to "it\'s" in due.py', before.replace('"a"', '"it\'s"')],
])('%s: keeps the name of the value', async (task, expected) => {
  expect(await textsAfter(task)).toBe(expected);
});

it('Change Total to "Sum" in notes.md: replaces the name', async () => {
  expect(await textsAfter('Change Total to "Sum" in notes.md')).toBe(
    before.replace('Total', 'Sum'),
  );
});

it.each([
  ['Set PLACE to "it\'s" in due.py', 'INPUT_INVALID'],
  ['Set NAME to "a\\b" in due.py', 'INPUT_INVALID'],
  ['Set DAYS to "two weeks" in due.py', 'INPUT_INVALID'],
  ['Change port to "http_port" in app.yaml', 'NOT_UNDERSTOOD'],
])('%s: changes nothing, with %s', async (task, code) => {
  await expect(textsAfter(task)).rejects.toMatchObject({ code });
  expect(textsNow()).toBe(before);
});

it('refuses a file that is not valid JSON', async () => {
  bench = await openBench({ 'bad.json': '{"debug": false,}' });
  await expect(workOnFiles(bench.context('Set debug to true in bad.json'))).rejects.toMatchObject({
    code: 'INPUT_INVALID',
    message: expect.stringContaining('bad.json is not valid JSON'),
  });
  expect(readFileSync(join(bench.workspace, 'bad.json'), 'utf8')).toBe('{"debug": false,}');
});

it.each(['Sort the lines in config.json backwards', 'Fly config.json to the moon', 'never mind'])(
  '%s: proposes nothing of another kind',
  async (task) => {
    await expect(after(task)).rejects.toMatchObject({
      message: expect.not.stringContaining('This works'),
    });
  },
);
