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

const others = {
  'expenses.csv':
    'date,category,payee,amount\n2026-01-02,Hotel,Ibis,100\n2026-01-03,Travel,Rail,40\n2026-02-03,School,Hill School,60\n2026-02-05,Clinic,Dr Who,25\n',
  'visits.csv':
    'visit_id,person,place,date,class\n1,Ann,British Museum,2026-01-02,Business\n2,Bo,Zoo,2026-01-03,Economy\n3,Cy,Hill School,2026-01-04,Economy\n',
  'sales.csv':
    'sale_id,date,product,quantity,price\n1,2026-01-01,Chocolate milk 1l,3,2\n2,2026-01-02,Milk chocolate bar,5,1\n3,2026-01-03,Milk chocolate box 250g,7,4\n4,2026-01-04,Tea,1,3\n',
  'dogs.csv': 'dog,sex,owner,age\nRex,M,Ann,3\nLuna,F,Bo,4\nMax,M,Cy,5\n',
  'pets.csv': 'name,sex\nRex,M\nLuna,F\n',
  'members.csv': files['members.csv'],
  'sessions.csv':
    'session_id,day,coach,places\n1,S,Mia,5\n2,M,Joe,6\n3,T,Joe,7\n4,T,Mia,7\n5,W,Mia,7\n',
  'lessons.csv': 'lesson_id,day,tutor\n1,Tu,Mia\n2,Th,Joe\n3,Th,Joe\n',
};

describe('words that may mean only some rows', () => {
  const ask = async (question: string) => {
    bench = await openBench(others);
    return answerFromData(bench.context(question));
  };
  it.each([
    ['how much did we spend on the hotel', [100]],
    ['how much did the hotel cost in expenses.csv', [100]],
    ['payments to the clinic in expenses.csv', ['2026-02-05']],
    ['how many expenses were for the school', [1]],
    ['how many visits to the museum', [1]],
    ['how many sales of milk chocolate', [2]],
    ['total quantity of chocolate milk', [3]],
    ['how many sales of 250g chocolate', [1]],
    ['how many males are in dogs.csv', [2]],
    ['how many lessons on Thursday', [2]],
  ])('answers %s', async (question, expected) => {
    const { rows } = (await ask(question)).data as { rows: readonly (readonly unknown[])[] };
    expect(rows.map(([first]) => first)).toEqual(expected);
  });

  it.each([
    'how many visits were to the library',
    'how much has the bank been paid in expenses.csv',
    'how much did the company charge in expenses.csv',
    'how many women are in dogs.csv',
    'how many men are in pets.csv',
    'how many people does the club owe money',
    'how many people do we owe money in members.csv',
    'how many sessions on Tuesday',
    'how many sessions on Saturday',
  ])('does not answer %s', async (question) => {
    await expect(ask(question)).rejects.toThrow();
  });

  it('says that it left out an organisation', async () => {
    expect((await ask('how many members does the club have')).text).toContain('without "the club"');
  });
});

it.each([
  ['08:00:00 error handling installed', '08:10:00 level=error msg="db down"'],
  ['08:00:00 [main] ERROR db down', '08:10:00 ERROR shown'],
])('deletes no error lines of a log with %s', async (...lines) => {
  bench = await openBench({ 'app.log': lines.map((line) => `2026-03-02 ${line}\n`).join('') });
  const deleted = async () => workOnFiles(bench.context('Delete the error lines of app.log'));
  await expect(deleted()).rejects.toThrow('It is not clear whether "error" is the text to find.');
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
