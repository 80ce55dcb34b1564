import { expect, it } from 'vitest';
import { askFiles } from '../../test/ask-files.ts';

const ask = askFiles({
  'trains.csv':
    'train,departure,arrival,price,driver,co_driver\nT1,07:10,08:00,12,Ann Lee,Bo Ray\nT2,08:30,10:00,30,Bo Ray,\nT3,16:00,16:45,9,Bo Ray,Ann Lee\n',
  'oven.log':
    '2025-03-01 08:00:00 ERROR oven-1: door open\n2025-03-01 09:00:00 ERROR oven-2: door open\n2025-03-02 09:00:00 ERROR oven-2: too hot\n2025-03-02 10:00:00 INFO oven-1: ready\n',
  'stock.json':
    '[{"item":"gloves","quantity":4,"min_quantity":9},{"item":"masks","quantity":9,"min_quantity":5}]',
  'shifts.csv': 'shift,stand,hours,takings\n1,A,4,100\n2,B,5,200\n3,A,6,100\n',
  'skis.csv': 'ski,daily_price,bought\nS1,38,2022-11-02\nS2,14,2024-01-15\n',
  'repairs.csv': 'repair,part,price,paid\nR1,lamp,80,no\nR2,lamp,40,yes\nR3,door,90,no\n',
  'clients.csv':
    'name,email,phone\nAnn Lee,ann@uni.example,1\nBo Ray,bo@mail.example,\nCid Fox,,\n',
  'trips.json': '[{"trip":1,"at":{"city":"Rome"},"km":9}]',
});

it.each<[string, unknown]>([
  ['which trains took longer than an hour', 1],
  ['who drives the most trains', [['Bo Ray', 2]]],
  ['what was the most frequent error message in the oven log', [['door open', 2]]],
  ['which oven has the most errors', [['oven-2', 2]]],
  ['how many errors are in the oven log', [[3]]],
  ['which items are below their minimum quantity', [['gloves', 4, 9]]],
  [
    'takings per hour for each stand',
    [
      ['B', 40],
      ['A', 20],
    ],
  ],
  ['cheapest ski per day', [['S2', 14, '2024-01-15']]],
  ['which skis did we buy in 2024', [['S2', 14, '2024-01-15']]],
  ['how much is still unpaid in repairs.csv', [[170]]],
  ['Leaving aside doors, which repair was the most expensive?', [['R1', 'lamp', 80, 'no']]],
  ['who has an email address that ends with uni.example', 1],
  ['which clients have neither an email nor a phone', 1],
  ['show all trips', [[1, '{"city":"Rome"}', 9]]],
])('answers %s', async (question, expected) => {
  const { rows } = (await ask(question)).data as { rows: readonly unknown[][] };
  if (typeof expected === 'number') expect(rows).toHaveLength(expected);
  else expect(rows).toEqual(expected);
});

it.each([
  'the most expensive repair and who did it',
  "what's the total of unpaid repairs",
  'takings per hour of the shifts',
])('refuses %s', async (question) => {
  await expect(ask(question)).rejects.toThrow();
});
