import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Bench, openBench } from '../../test/sentences/handler-context.ts';
import { answerFromData } from './answer-from-data.ts';

const files = {
  'pupils.csv':
    'First name,Surname,class,Date of birth\nAnn,Lee,4A,2016-02-04\nBob,Fox,4B,2016-05-20\nCy,Day,4B,2016-07-30\n',
  'books_read.csv':
    'pupil,title,finished\nAnn Lee,Emma,2025-02-01\nBob Fox,Dune,\nAnn Lee,It,2025-03-01\n',
  'servers.csv': 'hostname,place\nweb1,Oslo\nweb2,Rome\nweb3,Rome\nweb4,Bern\n',
  'backups.csv':
    'day,host,result\n2026-10-14,web1,ok\n2026-10-15,web1,failed\n2026-10-15,web2,ok\n2026-10-15,web4,ok\n',
  'team.csv': 'login,role\nann01,dev\nbob02,dev\ncy03,ops\ndee04,ops\n',
  'deploys.csv': 'id,deployed_by,result\n1,ann01,ok\n2,bob02,failed\n3,ann01,ok\n4,dee04,ok\n',
  'clients.json': JSON.stringify([
    { name: 'Foto Ltd', city: 'Bern' },
    { name: 'Neri', city: 'Bern' },
    { name: 'Weber', city: 'Thun' },
    { name: 'Hahn', city: 'Thun' },
  ]),
  'bookings.csv': 'no,client,fee\n1,Foto Ltd,10\n2,Neri,20\n3,Neri,15\n',
  'invoices.csv': 'no,client,amount,paid?\n1,Foto Ltd,10,no\n2,Foto Ltd,7,yes\n3,Hahn,7,yes\n',
  'ticket_sales.csv': 'ticket,category,total\n1,adult,90\n2,child,40\n',
  'expenses.csv': 'date,category,amount\n2025-03-01,paint,9\n2025-04-01,hall,70\n',
  'weather.csv': 'day,min (°C),max (°C)\n2025-06-01,9,26\n2025-06-02,8,20\n',
  'absences.csv': 'date,pupil,status\n03/02/2025,Ann Lee,ill\n04/02/2025,Bob Fox,ill\n',
  'rooms.csv': 'code,title,teacher\nR10,Red,Ann\nR11,Blue,Bob\nR12,Green,Ann\n',
  'teachers.csv': 'name,phone\nAnn,1\nBob,2\nCora,3\n',
  'lessons.csv': 'lesson,room,hours\nL1,R11,2\nL2,R10,3\nL3,R11,4\nL4,R12,1\n',
  'fleet.csv': 'bike_id,model,type\nB1,Glide,city\nB2,Breeze,city\nB3,Mini,kids\n',
  'bike_orders.csv': 'no,bike_id\n1,B1\n2,B2\n3,B3\n4,B1\n',
  'shows.csv': 'show,start,hall\nHamlet,19:30,A\nEmma,15:00,B\n',
};

let bench: Bench;
beforeAll(async () => {
  bench = await openBench(files);
  const db = new Database(join(bench.workspace, 'plays.db'));
  db.exec(`
    CREATE TABLE trainings (id INTEGER PRIMARY KEY, held_on TEXT, kind TEXT);
    CREATE TABLE attendance (training_id INTEGER, pupil TEXT, minutes INTEGER);
    CREATE TABLE costumes (id INTEGER PRIMARY KEY, name TEXT, shelf TEXT);
    CREATE TABLE repairs (id INTEGER PRIMARY KEY, costume_id INTEGER REFERENCES costumes(id), cost_eur REAL);
    INSERT INTO costumes VALUES (1, 'Crown', 'A'), (2, 'Cape', 'A'), (3, 'Wig', 'B');
    INSERT INTO repairs VALUES (1, 1, 2), (2, 1, 3), (3, 2, 90), (4, 3, 50);
    INSERT INTO trainings VALUES (1, '2025-01-01', 'run'), (2, '2025-01-08', 'swim');
    INSERT INTO attendance VALUES (1, 'Ann Lee', 60), (1, 'Cy Day', 30);
  `);
  db.close();
});
afterAll(() => bench.remove());

const ask = async (question: string) => {
  const { data } = await answerFromData(bench.context(question));
  return (data['rows'] as unknown[][]).map(([first]) => first);
};

it.each([
  ["which pupils haven't finished a single book?", ['Bob', 'Cy']],
  ['which pupils never came to a training?', ['Bob']],
  ['which servers had no successful backup on 2026-10-15?', ['web1', 'web3']],
  ['servers that were never backed up', ['web3']],
  ['are there servers in servers.csv that never turn up in backups.csv? which ones', ['web3']],
  ['which team members never deployed anything?', ['cy03']],
  ['names of the clients with unpaid invoices', ['Foto Ltd']],
  ['which clients have bookings but have never been invoiced?', ['Neri']],
  ['total fee per client, biggest first', ['Neri', 'Foto Ltd']],
  ['number of books by class', ['4A', '4B']],
  ['the two costumes with the highest repair costs, with the sum for each', ['Cape', 'Wig']],
  [
    'total hours per room, with the title of the room instead of the code',
    ['Blue', 'Red', 'Green'],
  ],
  [
    "what's the title of the room with the most lessons in lessons.csv? the titles are in rooms.csv",
    ['Blue'],
  ],
  ['teachers that do not teach any of the rooms', ['Cora']],
  ['number of orders by bike type (the types are in fleet.csv)', ['city', 'kids']],
  ['costumes we never repaired a single one of', []],
  ['what did we spend per category?', ['hall', 'paint']],
  ['which pupils do not appear as pupil in absences.csv?', ['Cy']],
  ['total fee per client in bookings.csv, biggest amount first', ['Neri', 'Foto Ltd']],
  ['on how many days did it get warmer than 25 degrees?', [1]],
  ['list every show that starts before 5 pm', ['Emma']],
])('answers %s', async (question, expected) => {
  expect(await ask(question)).toEqual(expected);
});

it.each([
  'which pupil has never finished in books_read.csv',
  'who was ill on 4 February?',
  'our newest server, and since when?',
])('refuses %s', async (question) => {
  await expect(ask(question)).rejects.toMatchObject({ name: 'TaskError' });
});
