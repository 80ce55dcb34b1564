import { expect, it } from 'vitest';
import { askFiles } from '../../test/sentences/ask-files.ts';

const ask = askFiles({
  'kennel.csv':
    'dog,breed,run,weight,sex,owner,city\nRex,Collie,North,21,m,Ann Lee,Leeds\nMolly,Terrier,South,9,f,Bob Ray,York\nBen,Collie,North,18,m,Ann Lee,Leeds\nKim,Poodle,South,11,f,Cid Fox,Hull\n',
  'letters.csv':
    'date,customer,channel,topic,pages\n2025-03-01,Mia Holt,mail,invoice,2\n2025-03-04,Bo Kern,phone,delivery,1\n2025-03-09,Mia Holt,mail,refund,3\n2025-04-02,Ida Voss,web,invoice,1\n',
  'customers.csv':
    'id,name,city,joined\n1,Mia Holt,Berlin,2023-02-01\n2,Bo Kern,Bremen,2024-03-01\n3,Ida Voss,Berlin,2024-05-05\n',
  'milk.csv':
    'day,cow,litres,barn\n2025-01-01,Berta,20,A\n2025-01-01,Flora,18,B\n2025-01-02,Berta,22,A\n2025-01-02,Flora,17,B\n',
  'parcels.csv':
    'date,recipient,depot,kg,status\n2025-02-01,Ann,East,3,delivered\n2025-02-02,Bob,West,4,returned\n2025-02-03,Ann,East,1,delivered\n',
  'vet.json': JSON.stringify([
    { date: '2025-01-20', pet: 'Rex', vet: 'Dr Harms', cost: 18, grade: 'A' },
    { date: '2025-02-03', pet: 'Kim', vet: 'Dr Ortega', cost: 46, grade: 'B' },
    { date: '2025-02-09', pet: 'Rex', vet: 'Dr Harms', cost: 30, grade: 'A' },
  ]),
});

it.each<[string, unknown]>([
  [
    'how many dogs are standing in each run',
    [
      ['North', 2],
      ['South', 2],
    ],
  ],
  ['which owner keeps the most dogs', [['Ann Lee', 2]]],
  ['how many dogs kept in North does Ann Lee own in kennel.csv', [[2]]],
  ['which depot delivered the most parcels', [['East', 2]]],
  ['how many female dogs in kennel.csv', [[2]]],
  ['names of the dogs whose name begins with a K in kennel.csv', [['Kim']]],
  ['which barn produces the most litres', [['A', 42]]],
  [
    'how many litres did each cow give in total',
    [
      ['Berta', 42],
      ['Flora', 35],
    ],
  ],
  ['total litres, both cows together', [[77]]],
  ['total litres over all barns in milk.csv', [[77]]],
  [
    'how many letters did each customer write',
    [
      ['Mia Holt', 2],
      ['Bo Kern', 1],
      ['Ida Voss', 1],
    ],
  ],
  ['through which channel did most letters reach us', [['mail', 2]]],
  ['who wrote a letter with the topic refund', [['Mia Holt']]],
  ['who wrote letters with the word "fun" in the topic', [['Mia Holt']]],
  ['the dearest vet visit: pet and cost?', [['Kim', 46]]],
  ['What percentage of the entries in vet.json has grade A?', [[66.67]]],
  [
    'What did every vet charge us overall?',
    [
      ['Dr Harms', 48],
      ['Dr Ortega', 46],
    ],
  ],
  [
    'how much is our dearest vet visit and which one is it?',
    [['2025-02-03', 'Kim', 'Dr Ortega', 46, 'B']],
  ],
])('answers %s', async (question, expected) => {
  expect((await ask(question)).data['rows']).toEqual(expected);
});

it('says which verb it left aside', async () => {
  expect((await ask('how many dogs kept in North does Ann Lee own in kennel.csv')).text).toContain(
    'without "',
  );
});

it.each([
  'how many dogs are limping in each run',
  'how many dogs bark in each run',
  'how many dogs were vaccinated per breed',
  'which dogs are standing in kennel.csv',
  'how many dogs per run are standing',
  'how many lying dogs are in each run',
  'how many dogs do not stand in North',
  'which owner never keeps collies',
  'which customers wrote in March 2024 in customers.csv',
  'how many customers wrote to us from Berlin in customers.csv',
  'how many letters did each customer lose',
  'how many litres did each cow drink',
  'how many litres did each cow spill',
  'who sent us the most parcels',
  'how many parcels did each depot return',
  'how many customer visits per city in customers.csv',
])('refuses %s', async (question) => {
  await expect(ask(question)).rejects.toMatchObject({ name: 'TaskError' });
});
