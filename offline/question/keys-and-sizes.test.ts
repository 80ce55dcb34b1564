import { expect, it } from 'vitest';
import { askFiles } from '../../test/sentences/ask-files.ts';

const ask = askFiles({
  'pitches.csv':
    'pitch,type,area_m2,price_per_night,max_people\n1,tent,40,14,2\n2,cabin,110,55,6\n3,tent,80,18,4\n',
  'bookings.csv':
    'booking,guest,pitch,arrival,departure,people,price\nR1,Ann Lee,1,2025-05-02,2025-05-05,2,42\nR2,Bo Ray,2,2025-06-01,2025-06-12,4,605\n',
  'guests.json': '[{"name":"Ann Lee","visits":7},{"name":"Bo Ray","visits":2}]',
  'boats.csv':
    'boat,length_m,top_speed_kn,stock,reorder_level\nTern,40,28,5,9\nKestrel,60,18,9,4\n',
  'crew.csv': 'name,role,hired,salary\nIsla,cook,2018-06-15,2900\nRory,mate,2021-03-01,3100\n',
  'engine.log':
    '2025-03-01 08:00:00 ERROR engine stopped\n2025-03-01 09:00:00 INFO engine started\n2025-03-01 10:00:00 ERROR oil low\n',
  'ports.csv': 'port,parking\nOban,120\nIona,0\n',
  'repairs.csv': 'nr,place,fixed_on\n1,lake,2025-05-04\n2,forest,\n',
});

it.each<[string, unknown]>([
  ['What is the largest pitch?', 2],
  ['Which pitch is the smallest?', 1],
  ['cabins with space for at least 5 people in pitches.csv', 2],
  ['What is the average number of nights per booking?', 7],
  ['Who made the most expensive booking?', 'R2'],
  ['Which guests have visited us more than 5 times?', 'Ann Lee'],
  ['Which boat is the fastest?', 'Tern'],
  ['slowest boat in boats.csv', 'Kestrel'],
  ['boats that have less stock than their reorder level', 'Tern'],
  ['boats with a lower reorder level than their stock', 'Kestrel'],
  ['Which repairs are not done yet?', 2],
  ['How often was the engine started?', 1],
])('understands what names a row, and what has a size: %s', async (question, first) => {
  const { data } = (await ask(question)) as unknown as { data: { rows: unknown[][] } };
  expect(data.rows).toHaveLength(1);
  expect(data.rows[0]?.[0]).toBe(first);
});

it.each([
  'What is the average pitch?',
  'sum of all pitches',
  'What do we pay the crew per month?',
  'guests by number of visits',
  'How many errors did the engine have?',
  'Which places need repairs?',
  'What is the largest port?',
  'Who worked on 2025-05-02?',
])('does not calculate with keys or with words of the file: %s', async (question) => {
  await expect(ask(question)).rejects.toThrow();
});

const askStall = askFiles({
  'products.csv': 'id,name\n1,Bread\n2,Milk\n3,Soap\n',
  'sales.csv': 'id,product_id,quantity\n1,1,2\n2,2,1\n3,1,1\n',
});

it('does not list what was sold as what is sold in general', async () => {
  await expect(askStall('Which products do we sell?')).rejects.toThrow();
});

const askClub = askFiles({
  'payments.csv': 'payment_id,amount,method,status\n1,5,card,paid\n2,9,,overdue\n3,7,cash,paid\n',
});

it('payments with a method and a status in words are no requests of a web server', async () => {
  const { data } = (await askClub('show me the highest payment')) as unknown as {
    data: { rows: unknown[][] };
  };
  expect(data.rows).toEqual([[2, 9, '', 'overdue']]);
});
