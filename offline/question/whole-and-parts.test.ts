import { expect, it } from 'vitest';
import { askFiles } from '../../test/sentences/ask-files.ts';

const ask = askFiles({
  'clients.csv':
    'id,name,country,tier\n1,Ann,Germany,gold\n2,Bo,Germany,\n3,Cy,France,gold\n4,Di,France,\n5,Flo,Italy,gold\n',
  'orders.csv':
    'order_id,client_id,order_date,amount,method,shipped_on,discount_percent\n11,1,2026-02-01,120,card,2026-02-04,0\n12,1,2026-02-15,40,cash,,10\n13,3,2026-03-05,40,card,2026-03-11,5\n14,9,2026-03-08,200,card,2026-03-09,5\n',
  'harvest.csv':
    'day,crop,bed,weight_kg,donated_kg\n2026-06-01,kale,North,12,3\n2026-06-03,beans,South,4,1\n2026-07-02,kale,South,4,\n',
  'flats.csv':
    'flat,square_metres,rent_eur,fee_eur,tenant\nA1,50,600,75,Nora\nA2,100,900,50,\nA3,50,600,75,Omar\nA4,100,900,50,\n',
  'payments.csv': 'flat,paid_on,amount\nA1,2026-01-03,600\nA2,2026-01-04,600\n',
  'members.csv':
    'member_no,name,birth_year,joined,left\n1,Uwe,1980,2024-01-03,\n2,Vic,1991,2024-02-10,2025-03-01\n3,Wyn,1975,2025-02-20,\n',
  'lambs.csv': 'tag,sex,birth_weight_kg\nA,f,3\nB,m,4\n',
  'services.json': '[{"name":"api","port":8080},{"name":"web","port":3000}]',
  'books.csv': 'book_id,title,author\nB1,Dune,Herbert\nB2,Emma,Austen\n',
  'loans.csv':
    'book_id,member,borrowed_on\nB1,Kim,2026-05-01\nB2,Kim,2026-05-03\nB1,Lea,2026-05-09\n',
});

it.each<[string, unknown]>([
  [
    'share of orders per method in orders.csv',
    [
      ['card', 75],
      ['cash', 25],
    ],
  ],
  [
    'share of weight per crop',
    [
      ['kale', 80],
      ['beans', 20],
    ],
  ],
  ['percentage of orders paid by card in orders.csv', [[75]]],
  ['what percent of kg was donated', [[20]]],
  ['what percentage of the harvest was donated', [[20]]],
  [
    'donated kg as a percentage of weight by crop',
    [
      ['beans', 25],
      ['kale', 18.75],
    ],
  ],
  ['Which countries have no orders?', [['Italy']]],
  ['how many countries have no orders', [[1]]],
  ['which tenants have no payments', [['Omar']]],
  ['rent per square metre', [[10]]],
  [
    'rent per square metre for each flat',
    [
      ['A1', 12],
      ['A3', 12],
      ['A2', 9],
      ['A4', 9],
    ],
  ],
  ['which method has the highest share of orders in orders.csv', [['card', 75]]],
  ['share of orders per method in March 2026 in orders.csv', [['card', 100]]],
  ['oldest member', [[3, 'Wyn', 1975, '2025-02-20', '']]],
  [
    'how many members joined per year',
    [
      [2024, 2],
      [2025, 1],
    ],
  ],
  ['how many members left', [[1]]],
  ['percentage of members who left', [[33.33]]],
  ['who borrowed the most books', [['Kim', 2]]],
  ['What port does the api use?', [[8080]]],
])('answers %s', async (question, expected) => {
  expect((await ask(question)).data['rows']).toEqual(expected);
});

it.each<[string, string | RegExp]>([
  ['share of orders in orders.csv', /condition of the share/],
  ['share of orders per method with more than 1 order in orders.csv', /shown groups only/],
  ['the tier with the highest share of clients in clients.csv', /shown groups only/],
  ['percentage of clients per tier from Germany', /condition of the share or of its whole/],
  ['oldest lamb', /"oldest" needs a column of age/],
  ['average order id per method', /can't be added up/],
  ['total discount in orders.csv', /discount_percent can't be added up/],
  ['average port', /can't be added up/],
  ['clients who only paid by card', /only/],
  ['crops only grown in South', /only/],
  ['orders by clients from Germany', /orders/],
  ['clients who have not ordered since March', /March/],
  ['What port does the log use?', /log/],
  ['total minutes per member', /minutes/],
  ['members between 20 and 30', /between/],
  ['members who came in 2024', /came/],
  ['cheapest flat per square metre', /cheapest/],
  [
    'which flat is the most expensive',
    /by rent_eur in flats\.csv" or "which flat is the most expensive by fee_eur in flats\.csv"/,
  ],
  ['total kg per crop', /"total weight_kg per crop in harvest\.csv" or "total donated_kg per crop/],
])('refuses %s', async (question, message) => {
  await expect(ask(question)).rejects.toThrow(message);
});
