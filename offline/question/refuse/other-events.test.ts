import { expect, it } from 'vitest';
import { askFiles } from '../../../test/sentences/ask-files.ts';

const ask = askFiles({
  'invoices.csv': 'invoice,customer,amount,paid_on\n1,Acme,10,2025-02-01\n2,Birch,30,\n',
  'sales.csv': 'date,region,amount\n2025-01-02,north,6\n2025-01-05,south,8\n2025-02-03,north,16\n',
  'plants.csv':
    'plant_id,name,price,supplier,last_delivery\n1,Rose,9,Best Plants,2025-02-01\n2,Oak,89,Grow Ltd,2025-03-01\n3,Fern,5,Grow Ltd,\n',
  'prints.csv':
    'title,maker,year,acquired\nHarbour,Lomax,1830,1990-01-02\nNets,Reuter,1896,1850-05-06\n',
  'stays.csv':
    'stay,guest,nights,comment\n1,Mia,3,Lovely stay\n2,Bo,9,Too loud\n3,Cy,1,Breakfast was great\n',
  'shelf.csv': 'item,in_stock,unit_price\nSoap,4,2\nTowel,2,7\n',
  'hall.json': JSON.stringify({
    hall: 'Town Hall',
    rooms: [
      { name: 'Blue Room', guard: 'Ann Lee', target_temp_c: 18 },
      { name: 'Red Room', guard: 'Bo Ray', target_temp_c: 21 },
    ],
  }),
});

it.each([
  ['Which customer paid the most?', [['Acme', 10]]],
  [
    'Break down sales.csv by region',
    [
      ['north', 2, 22],
      ['south', 1, 8],
    ],
  ],
  [
    'Which plants were last delivered before March 2025?',
    [[1, 'Rose', 9, 'Best Plants', '2025-02-01']],
  ],
  ['Which plant costs the most?', [[2, 'Oak', 89, 'Grow Ltd', '2025-03-01']]],
  ['Show everything made before 1840', [['Harbour', 'Lomax', 1830, '1990-01-02']]],
  ['Which stays mention breakfast?', [[3, 'Cy', 1, 'Breakfast was great']]],
  ['How many rooms does the hall have?', [[2]]],
  ['Who is the guard of Blue Room?', [['Ann Lee']]],
  ['What is the target temperature of Red Room?', [[21]]],
])('answers %s', async (question, rows) => {
  expect((await ask(question)).data).toMatchObject({ rows });
});

it.each([
  // A word that occurs in a comment does not describe the stay.
  'Which stays were great?',
  'What is the value of everything in shelf.csv?',
  'How much did we take at each region, fee times nights?',
  'Show everything painted before 1840 in invoices.csv',
])('refuses %s', async (question) => {
  await expect(ask(question)).rejects.toThrow();
});

const askChoir = askFiles({
  'choir/members.csv': 'member_id,name,board\n1,Ann Lee,yes\n2,Bo Ray,no\n3,Cy Dow,no\n',
  'choir/late.csv':
    'day,member_id,status\n2025-03-01,1,late\n2025-03-08,1,late\n2025-03-08,2,present\n',
});

it.each([
  ['How many members are in the choir?', [[3]]],
  ['Who is on the board?', [[1, 'Ann Lee', 'yes']]],
  ['Which member was late most often?', [['Ann Lee', 2]]],
])('answers %s', async (question, rows) => {
  expect((await askChoir(question)).data).toMatchObject({ rows });
});

const askVet = askFiles({
  'owners.csv': 'owner_id,name\n1,Ann Lee\n2,Bo Ray\n',
  'pets.csv': 'pet_id,name,owner_id\n7,Rex,1\n8,Molly,2\n9,Tom,2\n',
  'visits.csv':
    'visit_id,pet_id,date,fee\n1,7,2025-02-01,30\n2,7,2025-03-01,45\n3,8,2025-04-02,21\n',
  'tests.csv': 'test_id,pet_id,kind,result\n1,7,blood,normal\n2,8,urine,low\n',
});

it('counts the visits of an owner, not the pets', async () => {
  const { data } = await askVet('Which owner came most often?');
  expect(data).toMatchObject({ rows: [['Ann Lee', 2]] });
});

const askPlaces = askFiles({
  'events.csv':
    'event,place,persons\nTalk,Central Library,10\nFair,East Library,20\nGig,Town Hall,5\n',
  'guests.csv': 'guest,room\nMia,Blue\nBo,Red\n',
  'kitchen_tasks.csv':
    'task,room,done\nPaint,Kitchen east,yes\nSweep,Hall,no\nMop,Kitchen west,no\n',
  'scores.csv': 'score,stars,comment\n1,5,Breakfast was great\n2,1,They did nothing\n3,1,\n',
});

it.each([
  'How many events are in the museum?',
  'List the events in the shop',
  'How many persons were in the museum?',
  'How many guests are in the library?',
  'Which scores say nothing about breakfast?',
  'How many scores say nothing?',
  'Which scores have a comment that contains nothing?',
  'Which scores with no comment about breakfast have 1 star?',
])('refuses %s', async (question) => {
  await expect(askPlaces(question)).rejects.toThrow();
});

it.each([
  ['How many tasks are in the kitchen?', [[2]]],
  ['How many events were in the library?', [[2]]],
  ['How many kitchen tasks are there?', [[3]]],
  ['Which scores say "nothing"?', [[2, 1, 'They did nothing']]],
])('answers %s', async (question, rows) => {
  expect((await askPlaces(question)).data).toMatchObject({ rows });
});

it('does not show a row that lacks the column asked for', async () => {
  await expect(askVet('Show the result of Rex')).rejects.toThrow();
});

const askSales = askFiles({ 'sold.csv': 'day,item,amount\n1,tea,4\n2,rice,5\n3,tea,3\n' });

it('ranks the items, not the rows, if several rows have the same item', async () => {
  const { data } = await askSales('Which item brought in the most money?');
  expect(data).toMatchObject({ rows: [['tea', 7]] });
  await expect(askSales('Which item has the highest amount?')).rejects.toThrow('two meanings');
  expect((await askSales('How many items are in sold.csv?')).data).toMatchObject({ rows: [[3]] });
});
