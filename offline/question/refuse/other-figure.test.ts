import { expect, it } from 'vitest';
import { askFiles } from '../../../test/sentences/ask-files.ts';

const ask = askFiles({
  'tools.csv': 'tool_id,name,kind\nT1,Saw,hand\nT2,Drill,power\nT3,Hammer,hand\n',
  'borrowers.csv':
    'borrower_id,name,site\nP1,Ann Lee,North\nP2,Bo Ray,South\nP3,Cy Dee,North\nP4,Di Fox,South\n',
  'rentals.csv':
    'rental_id,tool_id,borrower_id,rented,returned\nR1,T1,P1,2026-01-02,2026-01-05\nR2,T1,P1,2026-01-12,2026-01-15\nR3,T2,P2,2026-02-02,\n',
  'sites.json': '[{"name":"North","staff":4},{"name":"South","staff":3}]',
  'plots.csv': 'plot,borrower_id,size\nN1,P1,20\nN2,P2,30\nN3,P3,30\n',
});

const withoutRental = [
  ['P3', 'Cy Dee', 'North'],
  ['P4', 'Di Fox', 'South'],
];

it.each<[string, unknown]>([
  ['list the borrowers who never took out a rental', withoutRental],
  ['is there anyone in borrowers.csv without a rental in rentals.csv?', withoutRental],
  ['is there anyone in borrowers.csv without a plot in plots.csv?', [withoutRental[1]]],
  ['which tools are still out', [['Drill']]],
  [
    'number of different tools rented per month',
    [
      ['2026-01', 1],
      ['2026-02', 1],
    ],
  ],
])('answers: %s', async (question, rows) => {
  expect((await ask(question)).data['rows']).toEqual(rows);
});

it.each([
  'Can you tell me how many tools were rented each month?',
  'How many tools did we rent each month?',
])('says both meanings of a number: %s', async (question) => {
  await expect(ask(question)).rejects.toMatchObject({
    code: 'AMBIGUOUS',
    message: expect.stringMatching(
      /"number of different tools" or "number of rows in rentals.csv"/,
    ),
  });
});

it.each([
  'list the borrowers who never dropped out',
  'list the borrowers who never signed out a tool',
  'What has Ann Lee rented so far?',
  'What did Ann Lee return?',
  'How many borrowers are there per staff person at each site?',
  'number of borrowers per staff in every site',
])('refuses %s', async (question) => {
  await expect(ask(question)).rejects.toMatchObject({ name: 'TaskError' });
});
