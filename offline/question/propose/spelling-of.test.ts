import { expect, it } from 'vitest';
import { askFiles } from '../../../test/sentences/ask-files.ts';

const ask = askFiles({
  'bookings.csv':
    'id,client,type,fee,state\n1,Weber,wedding,900,confirmed\n2,Otto,portrait,120,requested\n3,Kim,wedding,700,confirmed\n4,Kimm,portrait,80,confirmed\n',
  'clients.json': JSON.stringify([
    { name: 'Weber', city: 'Ulm', email: 'w@x.example' },
    { name: 'Otto', city: 'Bonn', email: null },
  ]),
});

it.each([
  [
    'avrage fee per tpye',
    [
      ['wedding', 800],
      ['portrait', 100],
    ],
    'Read "avrage" as "average" and "tpye" as "type".',
  ],
  [
    'number of bookings per cllient in bookings.csv',
    [
      ['Kim', 1],
      ['Kimm', 1],
      ['Otto', 1],
      ['Weber', 1],
    ],
    'Read "cllient" as "client".',
  ],
  ['how mnay bookngs are there?', [[4]], 'Read "mnay" as "many" and "bookngs" as "bookings".'],
  ['number of confirmd bookings', [[3]], 'Read "confirmd" as "confirmed".'],
  [
    'Wich client has no e-mail adress?',
    [['Otto', 'Bonn', null]],
    'Read "Wich" as "which" and "adress" as "address".',
  ],
])('reads %s with its words corrected, and says so', async (question, expected, note) => {
  const { text, data } = await ask(question);
  expect((data as { rows: unknown }).rows).toEqual(expected);
  expect(text.split('\n')[0]).toBe(note);
});

it.each([
  ['another common word', 'bookings per stage'],
  ['a name', 'bookings of Wever'],
  ['a value', 'fee of otto and kimn'],
  ['two candidates', 'number of confirmd kims'],
  ['a quotation', 'bookings of "Webber"'],
  ['another form', 'clients with a typed city'],
  ['a task to change something', 'mark the bookngs as confirmd'],
])('corrects no word that is or may be %s', async (_, question) => {
  await expect(ask(question)).rejects.toThrow();
});
