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

const askTimes = askFiles({
  'results.csv':
    'result_id,runner,race,time,distance_km\n1,Ann,Harbour 10K,0:41:10,10\n2,Bo,Harbour 10K,0:49:50,10\n3,Ann,City Half,1:35:00,21\n',
  'buses.csv': 'bus,departure,stops\nA,7:05:00,12\nB,8:10:00,3\nC,9:20:00,7\n',
  'invoices.csv':
    'invoice_id,client,issued_on,paid_on,due_on\n1,Acme,2026-01-01,2026-01-20,2026-01-31\n2,Beta,2026-02-01,,2026-02-28\n',
  'people.csv': 'name,born,joined\nAnn,1980-01-01,2020-01-01\nBo,1990-05-05,2021-02-02\n',
  'gym.csv': 'name,fee\nAnn,5\nBo,7\n',
  'places.csv': 'name,rank\nAnn,2\nBo,1\nCy,3\n',
  'exp.csv': 'expense,category,amount\n1,Hotel,10\n2,Clinic,20\n',
  'kiosk.log':
    '2026-03-02 08:00:00 WARN kiosk-1 slow network\n2026-03-02 09:00:00 WARN kiosk-2 slow\n2026-03-02 09:10:00 WARN kiosk-1 slow network\n2026-03-02 09:20:00 INFO kiosk-2 ok\n',
});

it.each([
  'the fastest bus in buses.csv',
  'buses over 8 hours in buses.csv',
  'total departure in buses.csv',
  'the longest race in results.csv',
  'the shortest race in results.csv',
  'people sorted by date in people.csv',
  'names in gym.csv from most to least',
  'how much went on sale in exp.csv',
  'which kiosk was slow most often in kiosk.log',
])('does not guess %s', async (question) => {
  await expect(askTimes(question)).rejects.toMatchObject({ name: 'TaskError' });
});

it.each<[string, string]>([
  ['sum of time in results.csv', 'sum time \\(seconds\\) \\|\\n.*\\n\\| *11160 '],
  ['which runner was the fastest in results.csv?', '\\| Ann +\\| 00:41:10'],
  ['average time in minutes in results.csv', ' 62'],
  ['names in places.csv sorted by rank from best to worst', 'Bo[^]*Ann[^]*Cy'],
  ['the latest date in invoices.csv', 'by issued_on or by paid_on or by due_on'],
  ['the date of invoice 2 in invoices.csv', '2026-02-01'],
  ['which kiosk had the most warnings in kiosk.log', 'kiosk-1'],
])('reads %s', async (question, expected) => {
  expect((await askTimes(question)).text).toMatch(new RegExp(expected));
});

it('says which time may be the best one', async () => {
  const answer = askTimes('best time in results.csv');
  await expect(answer).rejects.toThrow('a higher or a lower time is "best"');
});
