import { expect, it } from 'vitest';
import { askFiles } from '../../../test/sentences/ask-files.ts';

const ask = askFiles({
  'books.csv':
    'title,genre,price,loaned_on\nDune,fiction,9,2025-03-02\nEmma,fiction,5,2025-04-02\nRome,history,30,2025-04-09\n',
  'customers.csv': 'customer_id,name,town\n1,Mill,Ely\n2,Oak,Soham\n',
  'orders.csv':
    'order_id,customer_id,order_date,delivery_date,total,status\n7,1,2025-03-01,2025-03-03,20,delivered\n8,2,2025-03-02,2025-03-03,30,delivered\n9,1,2025-03-04,2025-03-05,5,cancelled\n',
  'letters.csv': 'a;b;c\n1;2;x\n3;4;y\n5;6;y\n',
  'config.json': '{"servers":[{"host":"a","port":80},{"host":"b","port":81}]}',
  'visits.csv': 'visit,order_no,signed_by\n1,7,chef\n2,8,owner\n',
});

it('applies a condition to both ends of a difference', async () => {
  const question = 'difference between the cheapest and the dearest fiction book in books.csv';
  expect((await ask(question)).data['rows']).toEqual([[4]]);
});

it.each([
  'difference between the dearest book and the cheapest fiction book in books.csv',
  'price difference per price in books.csv',
  'who delivered order 7, and how long did it take?',
  'who delivered order_no 7 in visits.csv',
  'compare the delivered order value of Ely and Soham',
])('refuses %s', async (question) => {
  await expect(ask(question)).rejects.toThrow();
});

it.each([
  ['sum of a in letters.csv', [[9]]],
  ['sum of b per a in letters.csv where c is x', [[1, 2]]],
  ['highest a in letters.csv', [[5]]],
  ['average of a b in letters.csv', [[4]]],
])('tells a column from the article of its name: %s', async (question, rows) => {
  expect((await ask(question)).data['rows']).toEqual(rows);
});

it('reads a place inside a file as no other file', async () => {
  await expect(ask('What is the value of servers[1].port in config.json?')).rejects.toThrow(
    /^Without a language model this can't be understood: "1", "port"\. Columns of config\.json/,
  );
});
