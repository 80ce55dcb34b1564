import { expect, it } from 'vitest';
import { askFiles } from '../../test/sentences/ask-files.ts';

const ask = askFiles({
  'vet_visits.csv':
    'visit_date,animal_id,reason,cost,vet\n2025-01-02,1,injury,40,Ann\n2025-02-02,2,surgery,90,Bob\n2025-03-02,1,check-up,25,Ann\n',
  'donations.csv':
    'date,donor,amount\n2025-01-01,Ann Lee,5\n2025-01-09,Bob Fox,5\n2025-02-01,Ann Lee,70\n',
  'volunteers.json': JSON.stringify([
    { name: 'Sara', driver: true, hours: 4 },
    { name: 'Tim', driver: false, hours: 40 },
  ]),
  'sponsors.csv':
    'sponsor,contact,monthly_fee,ends\nBank,Roth,90,2026-01-01\nCinema,Paul,20,2026-12-31\nBikes,Kern,400,2027-01-01\n',
  'listeners.csv':
    'day,channel,listeners\n2026-01-01,web,200\n2026-01-01,fm,100\n2026-01-02,web,400\n',
  'calls.csv': 'call,village,minutes\n1,Upwell,3\n2,Upwell,4\n3,Nor,9\n',
  'letters.csv': 'a;b\n1;2\n3;4\n',
  'access.log': ['/a 200', '/a 404', '/b 404', '/b 404']
    .map((one) => {
      const [path, status] = one.split(' ');
      return `10.0.0.1 - - [14/Feb/2026:07:00:00 +0000] "GET ${path} HTTP/1.1" ${status} 900 "-" "x"\n`;
    })
    .join(''),
});

it.each([
  ['most expensive vet visit', [['2025-02-02', 2, 'surgery', 90, 'Bob']]],
  ['when was the last surgery?', [['2025-02-02']]],
  ['how many times did Ann Lee donate?', [[2]]],
  ['which month brought in the most donations?', [['2025-02', 70]]],
  ['which volunteers can drive?', [['Sara', true, 4]]],
  ['which sponsor pays the least?', [['Cinema', 'Paul', 20, '2026-12-31']]],
  ['sponsors that pay more than 100', [['Bikes', 'Kern', 400, '2027-01-01']]],
  ['who is the contact at Cinema?', [['Paul']]],
  ['days with fewer than 300 web listeners', [['2026-01-01']]],
  ['which village calls us the most?', [['Upwell', 2]]],
  ['list a in letters.csv', [[1], [3]]],
  ['which page had the most 404s?', [['/b', 2]]],
  ['how often was /a requested in access.log?', [[2]]],
])('answers %s', async (question, expected) => {
  expect((await ask(question)).data['rows']).toEqual(expected);
});

it.each([
  'volunteers over 30',
  'the two cheapest vet visits each',
  'which sponsor pays the most per year',
])('does not guess about %s', async (question) => {
  await expect(ask(question)).rejects.toMatchObject({ name: 'TaskError' });
});
