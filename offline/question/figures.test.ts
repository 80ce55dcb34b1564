import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Bench, openBench } from '../../test/sentences/handler-context.ts';
import { answerFromData } from './answer-from-data.ts';

const files = {
  'orders.csv':
    'nr,day,buyer,payment,qty,amount (EUR)\nD1,2025-08-01,Kim,cash,9,20\nD2,2025-08-03,Bo,card,1,70\nD3,2025-09-02,Bo,card,1,15\n',
  'returns.csv': 'return,reason,refund (EUR),late?\nR1,broken,20,yes\nR2,too small,15,no\n',
  'races.csv':
    'race,town,distance_km,entry_fee,nights\nLake,Bern,42,90,2\nHill,Thun,8,20,1\nNight,Thun,10,,1\n',
  'ranks.csv': 'runner,race,rank\nAda,Lake,3\nAda,Hill,1\nCy,Lake,2\n',
  'photos.csv': 'photo,lens\n1,wide\n2,wide\n3,long\n',
  'readers.csv': 'reader,title,pages\nAda,Dune,412\nCy,Emma,474\nBo,Dune,412\n',
  'outages.csv': 'host,downtime_min\nweb,5\ndb,90\nweb,10\n',
  'kids.csv': 'child,group\nAda,red\nCy,blue\nBo,red\n',
  'tickets.csv': 'at,ticket name\nLake,Gold\nHill,Blue\n',
  'meter.csv': 'read_on,gas (m³)\n2025-01-01,100\n2025-02-01,160\n',
  'loans.csv': 'loan,returned_on,fine\nL1,2025-01-04,2\nL2,,\n',
  'roster.csv':
    'day,helper,area,hours,phone\n2025-08-02,Ann,Kitchen,5,11\n2025-08-03,Ann,Laundry,1,11\n2025-08-03,Bo,Kitchen,4,22\n2025-08-09,Cy,Garden,9,22\n',
  'stock.csv': 'part,stock,min_stock,price,assignee\nhose,2,3,90,\nlock,9,4,30,Ann\n',
  'jobs.csv':
    'job,received,collected,title,retail,cost\n1,2025-05-02,2025-05-09,old disk,5,2\n2,2025-05-05,,new mail,6,3\n3,2025-06-02,2025-06-03,lamp,7,6\n',
  'delays.csv': 'bus,minutes late,stars\nB1,20,5\nB2,4,3\n',
  'dogs.csv': 'name,weight_lb\nRex,70\nPip,20\n',
  'adoptions.csv': 'dog,adopter,date\nRex,Eve,2025-01-02\nMax,Eve,2025-02-02\nPip,Sam,2025-03-02\n',
};

let bench: Bench;
beforeAll(async () => {
  bench = await openBench(files);
});
afterAll(() => bench.remove());

const ask = async (question: string) => {
  const { data } = await answerFromData(bench.context(question));
  return data['rows'] as readonly unknown[][];
};

it.each<[string, readonly unknown[]]>([
  ['how much money did we refund in total in returns.csv', [35]],
  ['What did we earn per month in orders.csv?', ['2025-08', '2025-09']],
  ['Who ordered most often in orders.csv?', ['Bo']],
  ['turnover by payment method in orders.csv', ['card', 'cash']],
  ['Which race is the longest in races.csv?', ['Lake']],
  ['cheapest race in races.csv', ['Hill']],
  ['Best rank of each runner in ranks.csv', ['Cy', 'Ada']],
  ['Who ran the most races in ranks.csv?', ['Ada']],
  ['which lens did I use most in photos.csv', ['wide']],
  ['What is the most read title in readers.csv?', ['Dune']],
  ['how many reds and blues are in kids.csv', ['red', 'blue']],
  ['number of pupils by group in kids.csv', ['red', 'blue']],
  ['which loans are still out in loans.csv', ['L2']],
  ['how much have we charged in fines in loans.csv', [2]],
  ['total downtime per host in outages.csv, worst first', ['db', 'web']],
  ['Which helpers have not been in the kitchen in roster.csv?', ['Cy']],
  ['Which helper has never done laundry in roster.csv?', ['Bo', 'Cy']],
  ['total hours per helper in roster.csv, apart from the kitchen', ['Cy', 'Ann']],
  ['how many rows are on a saturday or sunday in roster.csv', [4]],
  ['do helpers have the same phone in roster.csv', [11, 22]],
  ['When was the last order in orders.csv?', ['2025-09-02']],
  ['which parts are below their minimum stock in stock.csv', ['hose']],
  ['parts over 50 euros in stock.csv', ['hose']],
  ['dogs over 50 pounds in dogs.csv', ['Rex']],
  ['parts of 30 euros or less in stock.csv', ['lock']],
  ['which parts have nobody assigned in stock.csv', ['hose']],
  ['Which people have adopted more than one dog in adoptions.csv?', ['Eve']],
  ['top two buyers by invoiced amount in orders.csv', ['Bo', 'Kim']],
  ['number of jobs received, month by month in jobs.csv', ['2025-05', '2025-06']],
  ['On which weekday do we receive the most jobs in jobs.csv?', ['Mon']],
  ['jobs with "disk" or "mail" in the title in jobs.csv', [1, 2]],
  ['jobs whose retail price is more than 1.5 times the cost in jobs.csv', [1, 2]],
  ['buses that were more than 15 minutes late in delays.csv', ['B1']],
  ['which buses got 5 stars in delays.csv', ['B1']],
  ['peak cost in jobs.csv', [6]],
  ['average days from received to collected in days in jobs.csv', [4]],
  ['did we spend more in August or in September in orders.csv', ['08', '09']],
])('answers %s', async (question, expected) => {
  expect((await ask(question)).map(([cell]) => cell)).toEqual(expected);
});

it.each([
  'how much gas did we use in meter.csv',
  'cost per night of the races in races.csv',
  'who owns Lake in races.csv',
  'has anyone got Lake in races.csv',
  'what does Ada still have to do in readers.csv',
  'when is Hill in races.csv',
  'how many pages in Databases altogether in readers.csv',
  'which returns have no broken in returns.csv',
  'oldest buyer in orders.csv',
  'who has been with us the longest in ranks.csv',
  'who was at Lake and in which race in ranks.csv',
  'who is at Lake and for which ticket name in tickets.csv',
])('refuses %s', async (question) => {
  await expect(ask(question)).rejects.toMatchObject({ name: 'TaskError' });
});
