import { expect, it } from 'vitest';
import { askFiles } from '../../../test/sentences/ask-files.ts';

const ask = askFiles({
  'customers.csv': 'id,name\n1,Ann\n2,Bo\n3,Cy\n',
  'orders.csv':
    'order_id,customer_id,order_date,amount,shipped_on\n11,1,2026-02-01,20,2026-02-09\n12,3,2026-02-15,40,2026-02-16\n13,9,2026-03-05,90,\n',
  'loans.csv':
    'loan,member,title,due_on,returned_on\n1,Kim,Dune,2026-05-10,2026-05-09\n2,Kim,Momo,2026-05-10,2026-05-20\n3,Lea,Dune,2026-06-10,\n4,Max,Momo,2026-06-10,2026-06-10\n',
  'harvest.csv':
    'day,crop,bed,weight_kg\n2026-06-01,kale,North,9\n2026-06-03,beans,South,4\n2026-07-02,kale,South,2\n2026-07-03,beans,South,1\n2026-07-09,leek,East,4\n',
  'pets.csv': 'pet,species,weight_kg,height_cm\nRex,dog,24,60\nMia,cat,4,20\nBo,dog,32,70\n',
  'visits.csv':
    'visit,vet,reason,minutes,fee,date\n1,Ames,checkup,20,40,2026-03-02\n2,Bell,surgery,80,400,2026-03-05\n3,Ames,surgery,100,360,2026-03-04\n4,Ames,checkup,20,40,2026-03-08\n',
  'courses.csv': 'course,teacher\nYoga,Ida\nSpin,Jo\n',
  'signups.csv': 'person,course,level\nAnn,Yoga,1\nBo,Yoga,2\nAnn,Spin,1\n',
});

it.each<[string, unknown]>([
  ['which members borrowed both Dune and Momo', [['Kim']]],
  ['beds with only kale', [['North']]],
  ['beds with only kale or leek', [['East'], ['North']]],
  ['which beds had no kale', [['East']]],
  ['vets who did no surgery in visits.csv', []],
  ['how many more checkup visits than surgery visits', [[0]]],
  ['how many more weight_kg of kale than beans', [[6]]],
  [
    'pets heavier than average',
    [
      ['Rex', 'dog', 24, 60],
      ['Bo', 'dog', 32, 70],
    ],
  ],
  [
    'visits with a fee below the average fee',
    [
      [1, 'Ames', 'checkup', 20, 40, '2026-03-02'],
      [4, 'Ames', 'checkup', 20, 40, '2026-03-08'],
    ],
  ],
  [
    'fee per minute for each vet',
    [
      ['Bell', 5],
      ['Ames', 440 / 140],
    ],
  ],
  ['number of loans returned late', [[1]]],
  ['number of loans that came back after their due date', [[1]]],
  ['number of loans returned in time', [[2]]],
  ['number of loans that came back before they were due', [[1]]],
  ['number of orders with a customer that does not exist', [[1]]],
  ['last order of Cy', [[12, '2026-02-15', 40, '2026-02-16', 3, 'Cy']]],
])('answers %s', async (question, expected) => {
  const said = await ask(question).catch(() => undefined);
  expect(said?.data['rows']).toEqual(expected);
});

it.each<[string, string | RegExp]>([
  ['dogs heavier than average', /average/],
  ['pets heavier than the average dog', /average/],
  ['pets bigger than average', /average/],
  ['last visit of Ames', /"latest visit of Ames in visits\.csv"/],
  ['which courses have no level 2 in signups.csv', /./],
  ['which members borrowed Dune and Momo', /may mean one or both/],
  ['vets who did both checkup and surgery in March 2026', /"both .* is about all rows/],
  ['which beds had no kale in July', /"never crop is kale" is about all rows/],
  ['beds with only kale in July', /"only crop is kale" is about all rows/],
  ['how much more kale than beans in harvest.csv', /./],
  ['who has not paid in visits.csv', /vet/],
])('refuses %s', async (question, message) => {
  await expect(ask(question)).rejects.toThrow(message);
});

const askOfAges = askFiles({
  'customers.csv': 'id,name,age\n1,Ann,30\n2,Bo,30\n3,Cy,50\n',
  'orders.csv': 'order_id,customer_id,amount\n11,1,20\n12,1,40\n',
});

it('calculates a figure of each row without related rows', async () => {
  const { data } = await askOfAges('average age of customers without orders');
  expect(data['rows']).toEqual([[40]]);
});
