import { expect, it } from 'vitest';
import { askFiles } from '../../test/sentences/ask-files.ts';

const ask = askFiles({
  'dogs.csv': 'name,weight_lb\nRex,70\nBo,30\n',
  'backups.csv':
    'started,size_mb,minutes\n2025-05-03 01:00,500,30\n2025-06-07 01:00,1500,90\n2025-06-09 01:00,1000,60\n',
  'invoices.csv': 'no,client,amount_eur,sent\n1,Kim,70,yes\n2,Kim,10,yes\n3,Lee,20,no\n',
  'fees.csv': 'Paid on,Pupil,Amount (£)\n2025-05-03,Ann,9\n2025-05-04,Ann,12\n2025-05-05,Bob,5\n',
});

it.each([
  ['dogs over 65 pounds', [['Rex', 70]]],
  ['dogs that weigh less than 20 kg', [['Bo', 30]]],
  ['Fees over 10 pounds', [['2025-05-04', 'Ann', 12]]],
  ['how many GB did the june backups take all together?', [[2.5]]],
  ['How many hours did the backups take together?', [[3]]],
  ['number of backups on a saturday or monday', [[3]]],
  ['the may backups', [['2025-05-03 01:00', 500, 30]]],
  [
    'top two clients by invoiced amount',
    [
      ['Kim', 80],
      ['Lee', 20],
    ],
  ],
  ['total nr of invoices', [[3]]],
  ['invoices where sent is missing', [[3, 'Lee', 20, 'no']]],
  [
    'total amount per child',
    [
      ['Ann', 21],
      ['Bob', 5],
    ],
  ],
])('answers %s', async (question, expected) => {
  expect(((await ask(question)).data as { rows: unknown }).rows).toEqual(expected);
});

it.each(['how may backups are there?', 'dogs over 65 km'])(
  'does not answer %s in another sense',
  async (question) => {
    await expect(ask(question)).rejects.toThrow();
  },
);
