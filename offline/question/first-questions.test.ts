import { expect, it } from 'vitest';
import { askFiles } from '../../test/sentences/ask-files.ts';

const files = {
  'spending.csv':
    'date,category,shop,amount,paid_by\n2025-08-03,Food,Lidl,10,Mia\n2025-08-29,Fuel,Shell,50,Jonas\n2025-09-02,Food,Aldi,30,Mia\n2025-09-25,Kids,Toys,20,Mia\n',
  'bills.csv':
    'bill,provider,due,amount,paid_on\nB1,Power,2025-08-20,40,2025-08-25\nB2,Water,2025-08-20,15,2025-08-18\nB3,Power,2025-09-20,42,\n',
  'subs.json': JSON.stringify([
    { name: 'Film', cost_per_month: 9, active: true, users: ['Mia', 'Jonas'] },
    { name: 'Music', cost_per_month: 5, active: true, users: ['Jonas'] },
  ]),
  'members.csv': 'id,name,joined\n1,Ann,2020-01-01\n2,Bob,2021-01-01\n',
  'repairs.csv':
    'id,member_id,received,price\n1,1,2025-03-01,9\n2,1,2025-04-01,7\n3,2,2025-05-01,5\n',
  'logs/pay.log':
    '2025-08-01 10:00:00 INFO paid ms=10\n2025-08-02 10:00:00 INFO paid ms=12\n2025-08-03 10:00:00 ERROR no paper\n',
  'notes.md':
    '# Trip\n\nThe ferry leaves at 09:40. Ask Olaf, 030 555 0142.\n\nAnna Smith\nBaker street 5, 1234567 Town\n',
};

const ask = askFiles(files);

it.each([
  ['names of the members with a repair received after 1 April 2025', [['Bob']]],
  ['how much did we spend on food in september?', [[30]]],
  ['how much did Mia pay in total in spending.csv', [[60]]],
  ['how many times did we go to Lidl', [[1]]],
  ['everything we bought at Aldi', [['2025-09-02', 'Food', 'Aldi', 30, 'Mia']]],
  ['how much do we still owe?', [[42]]],
  ['total amount for paid bills', [[55]]],
  ['how many purchases in August and September', [[4]]],
  ['average amount of Mia and Jonas in spending.csv', [[50], [20]]],
  ['names of the subs with Mia', [['Film']]],
  ['how many bills are stored in bills.csv?', [[3]]],
  ['number of rows in pay.log', [[3]]],
  ['how much did Power make in bills.csv?', [[82]]],
  ['how much do our active subs cost per month?', [[14]]],
])('answers %s', async (question, expected) => {
  const { rows } = (await ask(question)).data as { rows: readonly unknown[][] };
  const shown = question.startsWith('average') ? rows.map((row) => row.slice(1)) : rows;
  if (typeof expected === 'number') expect(rows).toHaveLength(expected);
  else expect(shown).toEqual(expected);
});

it('answers from each of a few files that fit', async () => {
  const { text } = await ask('total amount');
  expect(text).toMatch(/fits bills\.csv and spending\.csv[\s\S]*97[\s\S]*110/);
});

it.each([
  ['when does the ferry leave?', 'leaves at 09:40'],
  ["what is Olaf's phone number?", '030 555 0142'],
  ['Let me see the last line of pay.log', 'ERROR no paper'],
  ['first two lines of notes.md', '# Trip'],
])('quotes a text for %s', async (question, quoted) => {
  expect((await ask(question)).text).toContain(quoted);
});

it.each([
  'compare August and September in spending.csv',
  'why does the ferry leave?',
  'best bill by amount in bills.csv, each amount',
  "send Olaf's phone number to Ann",
  "what is Anna Smith's phone number?",
  'who does not like the ferry?',
  'how many different users in subs.json',
])('refuses %s', async (question) => {
  await expect(ask(question)).rejects.toMatchObject({ name: 'TaskError' });
});
