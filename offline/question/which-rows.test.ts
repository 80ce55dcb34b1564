import { expect, it } from 'vitest';
import { askFiles } from '../../test/sentences/ask-files.ts';

const files = {
  'orders.csv':
    'Order No;Order date;Customer;Amount;Status;Shipped on;Payment;Coupon\n1;02.06.2026;Ann;10;shipped;10.06.2026;PayPal;\n2;05.06.2026;Bo;20;open;;card;HI\n3;09.07.2026;Cy;30;cancelled;;card;\n4;14.07.2026;Di;40;shipped;15.07.2026;PayPal;HI\n',
  'customers.csv':
    'customer,country,email,newsletter\nAnn,DE,a@x.example,yes\nBo,FR,,no\nCy,DE,c@x.example,yes\n',
  'bookings.csv': 'booking,client,Deposit paid?,location\n1,Ann,yes,Bern\n2,Bo,no,\n3,Cy,no,Thun\n',
  'fees.csv':
    'member,Year,amount,due_date,paid?,Paid on\n1,2025,10,2025-03-31,yes,2025-03-07\n2,2025,10,2025-03-31,yes,2026-01-02\n1,2026,12,2026-03-31,no,\n2,2026,12,2026-03-31,yes,2026-04-10\n',
  'lessons.csv': 'Day,Course,Room\nMon,Maths,A\nTue,Music,B\n',
  'meetings.csv': 'Held,Book\n06 Sep 2023,Emma\n11 Oct 2023,Dune\n',
  'trips.csv': 'trip,left_on,back_on\nA,2026-01-02,2026-02-03\nB,2026-02-01,2026-02-05\n',
  'pets.csv': 'pet,born\nRex,24/04/2011\nMax,\n',
  'jobs.csv':
    'job,received,finished,hours\n1,2026-01-02,2026-01-09,1.2\n2,2026-01-03,2026-01-05,2.5\n3,2026-01-03,,0.5\n',
  'grades.csv': 'Course,Points,late?\nDB,5,no\nDB,6,yes\n',
};

const ask = askFiles(files);

it.each<[string, readonly unknown[]]>([
  ["orders that weren't cancelled in orders.csv", [1, 2, 4]],
  ['orders without the cancelled ones in orders.csv', [1, 2, 4]],
  ['orders that used a coupon in orders.csv', [2, 4]],
  ["orders that didn't use a coupon in orders.csv", [1, 3]],
  ['which orders took longer than 7 days to ship', [1]],
  ['which jobs took longer than 90 minutes in jobs.csv', [2]],
  ['which jobs took more than 3 days in jobs.csv', [1]],
  ['which orders took longer than 7 days from order date to shipped on', [1]],
  ['PayPal orders', [1, 4]],
  ['which customers live in Germany', ['Ann', 'Cy']],
  ['which customers subscribed to the newsletter', ['Ann', 'Cy']],
  ["customers who don't want the newsletter", ['Bo']],
  ['which customers have no e-mail address', ['Bo']],
  ['for which bookings is there no location', [2]],
  ['which bookings have no deposit', [2, 3]],
  ['bookings whose location nobody filled in', [2]],
  ['who has not paid the fee for 2026', [1]],
  ['fees for 2025', [1, 2]],
  ['which course was handed in late in grades.csv', ['DB']],
  ['lessons on Tuesday in lessons.csv', ['Tue']],
  ['meetings in October in meetings.csv', ['11 Oct 2023']],
  ['pets with unknown date of birth in pets.csv', ['Max']],
])('%s', async (question, expected) => {
  const { rows } = (await ask(question)).data as { rows: readonly (readonly unknown[])[] };
  expect(rows.map(([first]) => first)).toEqual(expected);
});

it.each([
  ['earliest born in pets.csv', '24/04/2011'],
  ['number of orders per payment method in orders.csv', 'per Payment'],
])('answers %s', async (question, expected) => {
  expect((await ask(question)).text).toMatch(new RegExp(`${expected}|2011-04-24`));
});

it('shows both meanings of a time that may mean two columns', async () => {
  const { text } = await ask('trips in February in trips.csv');
  expect(text).toMatch(/can be read by left_on or by back_on[\s\S]*by left_on[\s\S]*by back_on/);
});

it.each([
  'what do I still have to do for the booking of Ann',
  'who owns Ann in bookings.csv',
  'which courses have no maths in grades.csv',
  'how many points did I get in Databases in grades.csv',
  'when is Maths in lessons.csv',
])('refuses %s', async (question) => {
  await expect(ask(question)).rejects.toMatchObject({ name: 'TaskError' });
});
