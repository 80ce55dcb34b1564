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

it.each([
  ['Change DAYS to 21 in due.py', 'DAYS = 21  # days\nNAME = "a"\n'],
  ['Set NAME to b in due.py', 'DAYS = 14  # days\nNAME = "b"\n'],
])('%s: keeps the name of the value', async (task, expected) => {
  bench = await openBench({ 'due.py': 'DAYS = 14  # days\nNAME = "a"\n' });
  await workOnFiles(bench.context(task));
  expect(readFileSync(join(bench.workspace, 'due.py'), 'utf8')).toBe(expected);
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
