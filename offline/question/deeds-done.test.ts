import { expect, it } from 'vitest';
import { askFiles } from '../../test/sentences/ask-files.ts';

const ask = askFiles({
  'members.csv':
    'name,voice,joined,city,fee_eur,paid\nGreta Holm,soprano,2021-03-02,Lund,120,yes\nIvo Brandt,bass,2019-09-15,Malmö,120,no\nSelin Kaya,alto,2023-01-20,Lund,60,yes\nOle Krag,bass,2018-05-30,Malmö,120,yes\n',
  'concerts.tsv':
    'date\tplace\ttickets_sold\tprice\tconductor\n2025-03-14\tSt. Petri\t142\t15\tAnn Dahl\n2025-06-01\tTown Hall\t98\t12.5\tPer Friis\n2025-10-19\tSt. Petri\t201\t15\tAnn Dahl\n',
  'clinic.csv': 'clinic,day,doctor\n1,2024-01-03,Hard\n2,2024-01-03,Hard\n3,2024-01-05,Hart\n',
  'shows.csv': 'show,venue,seats_sold\nLumen,A,120\nLumen,B,150\nOrca,B,200\n',
  'animals.csv': 'animal,height_cm\nBessie,140\nDolly,90\n',
  'dues.csv': 'person,dues_paid\nCem,\nDora,yes\nEve,no\n',
  'shifts.csv': 'nurse,day,late\nUma,2024-01-01,yes\nUma,2024-01-02,no\nVic,2024-01-01,no\n',
  'hours.csv':
    'day,project,task,hours\n2025-05-01,Astra,design,3.5\n2025-05-01,Zorn,sketch,2\n2025-05-02,Astra,coding,4\n2025-05-03,Astra,coding,4\n',
});

const rows = async (question: string) => (await ask(question)).data['rows'];

const best = ['2025-10-19', 'St. Petri', 201, 15, 'Ann Dahl'];

it.each([
  ['which concert sold the most tickets?', [best]],
  ['which conductor sold the most tickets', [['Ann Dahl', 343]]],
  ['how many tickets were sold at St. Petri', [[343]]],
  ['average tickets in concerts.tsv', [[147]]],
  ['how many basses do we have?', [[2]]],
  ['who has not paid the fee', [['Ivo Brandt', 'bass', '2019-09-15', 'Malmö', 120, 'no']]],
  ['Which doctor had the most clinics in clinic.csv?', [['Hard', 2]]],
  ['members joined after 1 May 2021', [['Selin Kaya', 'alto', '2023-01-20', 'Lund', 60, 'yes']]],
  ['Which show sold the most seats in shows.csv?', [['Lumen', 270]]],
  ['Which animals are taller than 1 m?', [['Bessie', 140]]],
  ['which conductor has the most tickets', [['Ann Dahl', 343]]],
  [
    'hours per project',
    [
      ['Astra', 11.5],
      ['Zorn', 2],
    ],
  ],
  ['total hours for coding', [[8]]],
  ['how many hours did I work on May 1st', [[5.5]]],
  ['day with the most hours', [['2025-05-01', 5.5]]],
])('%s', async (question, wanted) => {
  expect(await rows(question)).toEqual(wanted);
});

it.each([
  ['days with more than 5 hours', 'total hours per day'],
  ['busiest day in hours.csv', 'with the most hours'],
  ['hours for coding in May', 'total hours'],
  ['who joined in the 2020s in members.csv', 'between 2020 and 2029'],
  ['Which nurses have not been late?', 'all rows of each nurse'],
])('does not choose between rows and totals: %s', async (question, proposal) => {
  await expect(ask(question)).rejects.toThrow(proposal);
});

it('does not read what was not paid as anything but money', async () => {
  await expect(ask('who has not paid the city in members.csv')).rejects.toThrow('city');
});

it('asks whether an empty cell of a yes/no column means no', async () => {
  const asked = ask('Who has not paid the dues in dues.csv?');
  await expect(asked).rejects.toThrow('"where dues_paid is no" or "where dues_paid is not yes"');
  expect(await rows('dues where dues_paid is not yes')).toHaveLength(2);
});
