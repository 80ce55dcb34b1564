import { afterEach, describe, expect, it } from 'vitest';
import { type Bench, openBench } from '../../test/sentences/handler-context.ts';
import { workOnFiles } from '../files/file-forms.ts';
import { answerFromData } from './answer-from-data.ts';

const files = {
  'members.csv':
    'member_id,name,sex,joined,paid\nM1,Ann Lee,F,2023-01-05,yes\nM2,Bo Fay,M,2024-02-01,no\nM3,Cy Ode,M,2024-06-01,no\n',
  'results.csv':
    'result_id,member_id,race,time,note\n1,M1,Harbour 10K,0:41:10,PB\n2,M2,Harbour 10K,0:39:50,\n3,M3,Harbour 10K,1:02:30,PB\n',
  'harvests.csv':
    'harvest_id,date,honey_type,kg,moisture_pct\n1,2025-05-01,lime,8,18\n2,2026-06-01,lime,12,17\n3,2026-07-01,heather,5.5,19\n',
  'kiosk.log':
    '2026-03-02 08:00:00 ERROR kiosk-2 card stuck\n2026-03-02 08:10:00 WARN kiosk-1 slow\n2026-03-02 09:00:00 WARN kiosk-2 slow\n2026-03-02 09:05:00 WARN kiosk-2 ERROR shown\n',
  'loans.csv':
    'loan_id,loaned,return_by,returned\nL1,2026-01-02,2026-01-20,2026-01-25\nL2,2026-02-02,2026-02-20,\n',
  'gym.csv': 'name,fee\nAnn,5\n',
};

let bench: Bench;
afterEach(() => bench.remove());

async function askHere(question: string) {
  bench = await openBench(files);
  return answerFromData(bench.context(question));
}

describe('what a folder of files is about', () => {
  it.each([
    ['who joined the club in 2024?', ['M2', 'M3']],
    ['how many members does the club have', [3]],
    ['who joined the club most recently?', ['M3']],
    ['how many men are in members.csv', [2]],
    ['how many PBs were there', [2]],
    ['average time at the Harbour 10K', ['00:47:50']],
    ['how many kilos of honey did we harvest in 2026', [17.5]],
    ['the honey harvested per year', [2025, 2026]],
    ['show the two biggest harvests', [2, 1]],
    ['which kiosk had the most warnings?', ['kiosk-2']],
    ['when did the first error in kiosk.log happen, and what was it?', [1]],
    ['which loans have not been brought back?', ['L2']],
    ['total kg per honey_type, sorted from the highest to the lowest', ['lime', 'heather']],
  ])('answers %s', async (question, expected) => {
    const { rows } = (await askHere(question)).data as { rows: readonly (readonly unknown[])[] };
    expect(rows.map(([first]) => first)).toEqual(expected);
  });
});

it('saves the lines with a level, not those with its name in the message', async () => {
  bench = await openBench(files);
  await workOnFiles(bench.context('Put all error lines of kiosk.log into a new file called e.txt'));
  const { text } = await workOnFiles(bench.context('how many lines does e.txt have?'));
  expect(text).toMatch(/1 line/);
});

it('writes no task into a table', async () => {
  bench = await openBench(files);
  const added = Promise.resolve(workOnFiles(bench.context('Add the task "call Bo" to gym.csv')));
  await expect(added).rejects.toThrow('A row of gym.csv has 2 fields, not 1.');
});
