import { expect, it } from 'vitest';
import { askFiles } from '../../../test/sentences/ask-files.ts';

const ask = askFiles({
  'pets.csv':
    'pet_id,name,species,owner_id,birth_date,weight_kg\nP1,Rex,dog,O1,2020-01-02,30\nP2,Kit,cat,O1,2021-03-04,4\nP3,Fee,dog,O2,2022-05-06,9\n',
  'owners.csv': 'owner_id,name,city\nO1,Ann Lee,Oslo\nO2,Bo Ray,Bergen\n',
  'visits.csv':
    'visit_id,date,pet_id,fee,status\n1,2025-01-02,P1,10,paid\n2,2025-02-03,P1,30,open\n3,2025-02-05,P2,50,paid\n4,2025-03-05,P3,7,overdue\n',
  'medicines.json': JSON.stringify([
    { name: 'Otoclean', form: 'drops', stock: 3, price: 10, supplier: 'PetCare' },
    { name: 'Wormex', form: 'tablet', stock: 5, price: 2, supplier: 'AniMed' },
  ]),
  'bought.csv': 'line,medicine,unit_cost\n1,Otoclean,4\n2,Wormex,1\n',
});

it.each([
  [
    'How many visits are paid, open and overdue?',
    [
      ['paid', 2],
      ['open', 1],
      ['overdue', 1],
    ],
  ],
  ['How much did Ann Lee pay?', [[60]]],
  ['How much has Ann Lee paid?', [[60]]],
  ['Show the status of Rex', [['open'], ['paid']]],
  ['who owns Rex', [['Ann Lee']]],
  ['Who supplies Otoclean?', [['PetCare']]],
  ['What is our medicine stock worth?', [[40]]],
  ['List the tablets with price and stock', [['Wormex', 2, 5]]],
  [
    'Total fees per owner',
    [
      ['Ann Lee', 90],
      ['Bo Ray', 7],
    ],
  ],
])('answers %s', async (question, rows) => {
  expect((await ask(question)).data['rows']).toEqual(rows);
});

it.each([
  'Which dogs are older than 2 years?',
  'Which owners have a dog and a cat?',
  'Who came most often?',
  'Where do we mention the gate?',
  'What did we earn with Otoclean?',
  'How much will Ann Lee pay?',
  'How much does Ann Lee pay?',
  'How much does each owner pay?',
  'How much do we have to pay?',
  'Show the status of Wormex',
])('does not guess about %s', async (question) => {
  await expect(ask(question)).rejects.toMatchObject({ name: 'TaskError' });
});

const askDonations = askFiles({
  'donations.csv': 'date,donor,amount\n2025-01-02,Ann,10\n2025-02-03,Bo,20\n',
});

it('does not take donations for what we paid', async () => {
  expect((await askDonations('How much did we receive?')).data['rows']).toEqual([[30]]);
  await expect(askDonations('How much did we pay?')).rejects.toMatchObject({ name: 'TaskError' });
});
