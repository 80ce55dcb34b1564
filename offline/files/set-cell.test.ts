import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Bench, openBench } from '../../test/sentences/handler-context.ts';
import { workOnFiles } from './file-forms.ts';

const files = {
  'invoices.csv':
    'No,Client,Amount (EUR),paid?,sent\n2025-004,"Lake, Inc",704.00,no,2025-01-02\n2025-005,Ann,12.50,yes,\n',
  'visits.csv':
    'Visit;Animal;Vet;Fee;Status\r\n46;Rex;Dr. Reed;52,00;open\r\n47;Tom;Dr. Reed;9,50;closed\r\n',
  'stock.csv': '\uFEFFname,stock,state\r\n"Vitamin","5","open"\r\n"Tower London","7","open"\r\n',
  'tasks.csv': 'id,title,state\n1,Leak,open\n2,Open,done\n',
  'fees.csv': 'id,name,paid,tip\n1,Ann,No,1\n2,Bo,No,2',
  'odd.csv': 'id,name,state\n1,Ann,open\n2,Bo,open,x\n',
  'family.md': '# Board\n\n- [ ] Dog food\n- [x] Milk\n',
};

let bench: Bench;
beforeEach(async () => {
  bench = await openBench(files);
});
afterEach(() => bench.remove());

const run = (task: string) => Promise.resolve(workOnFiles(bench.context(task)));
const content = (path: keyof typeof files) => readFile(join(bench.workspace, path), 'utf8');

it.each<[string, keyof typeof files, old: string, by: string]>([
  ['Mark invoice 2025-004 as paid', 'invoices.csv', '704.00,no', '704.00,yes'],
  ['mark the invoice 2025-005 as unpaid please', 'invoices.csv', '12.50,yes', '12.50,no'],
  ['Mark visit 46 as closed', 'visits.csv', '52,00;open', '52,00;closed'],
  ['Set the status of visit 46 to closed', 'visits.csv', '52,00;open', '52,00;closed'],
  ['Change the fee of Rex to 60,00 in visits.csv', 'visits.csv', '52,00', '60,00'],
  [
    'In visits.csv, set the vet of Tom to "Dr. Ode; Dr. Reed"',
    'visits.csv',
    'Tom;Dr. Reed',
    'Tom;"Dr. Ode; Dr. Reed"',
  ],
  ['Set the stock of Vitamin to 9', 'stock.csv', '"5"', '"9"'],
  ['Mark Bo as paid', 'fees.csv', 'Bo,No', 'Bo,Yes'],
  ['Set the tip of Bo to -1.5 in fees.csv', 'fees.csv', 'No,2', 'No,-1.5'],
  ["Change Ann's amount to 13.00 in invoices.csv", 'invoices.csv', '12.50', '13.00'],
  ['Mark "Dog food" as done', 'family.md', '[ ] Dog', '[x] Dog'],
  ['Tick off "Dog food"', 'family.md', '[ ] Dog', '[x] Dog'],
])('changes one cell or box: %s', async (task, path, old, by) => {
  await run(task);
  expect(await content(path)).toBe(files[path].replace(old, by));
});

it.each([
  'Mark invoice 2025-009 as paid',
  'Mark invoice 2025-005 as paid',
  'Mark all invoices as paid',
  'Mark 52 as closed',
  'Set the status of Dr. Reed to closed',
  'Set the status of visit 46 to whatever Tom has',
  'Set the fee of visit 46 to cheap',
  'Set the fee of visit 46 to 60.00',
  'Set the fee of visits 46 and 47 to 60,00',
  'Set the status of visit 46 to closed in invoices.csv',
  'Mark "Milk" as done',
  'Set the stock of Vitamin A to 9',
  'Set the stock of Tower of London to 9',
  'Set the state of the open task to paused',
  'Set the state of task 1 to the opposite',
  'Set the state of task 1 to blank',
  'Set the state of Ann to closed in odd.csv',
])('changes nothing if not exactly one cell is meant: %s', async (task) => {
  await expect(run(task)).rejects.toThrow();
  for (const path of Object.keys(files) as (keyof typeof files)[])
    expect(await content(path)).toBe(files[path]);
});

it('keeps bytes that are no UTF-8 in other rows', async () => {
  const path = join(bench.workspace, 'latin.csv');
  const before = Buffer.from('id,name,state\n1,M\xfcller,open\n2,Meier,open\n', 'latin1');
  await writeFile(path, before);
  await run('Set the state of Meier to closed in latin.csv').catch(() => undefined);
  expect((await readFile(path)).subarray(0, 24)).toEqual(before.subarray(0, 24));
});
