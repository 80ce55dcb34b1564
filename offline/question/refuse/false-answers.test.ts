import { expect, it } from 'vitest';
import { askFiles } from '../../../test/sentences/ask-files.ts';

const files = {
  'tickets.csv': 'ticket,total\n1,10\n2,20\n',
  'bills.csv':
    'bill,provider,due,amount,paid_on\nB1,Power,2025-08-20,40,2025-08-25\nB2,Water,2025-08-20,15,2025-08-18\nB3,Power,2025-09-20,42,\n',
  'expenses.csv': 'date,shop,amount\n2025-08-03,Lidl,10\n2025-08-09,Aldi,20\n',
  'contracts.csv': 'name,start,cost_per_month\nPhone,2024-01-01,10\nGym,2024-03-01,30\n',
  'cars.csv': 'car,radio\nA,yes\nB,no\n',
  'passengers.csv': 'passenger,pass\nMia,yes\nBo,no\n',
  'subs.json': JSON.stringify([
    { name: 'Film', users: ['Mia', 'Jonas'], rooms: [1, 2] },
    { name: 'Music', users: ['Jonas'], rooms: [2] },
  ]),
  'notes.csv': 'id,level\n1,[INFO]\n2,[INFO]\n3,[WARN]\n',
  'games.csv': 'game,goals\n1,2\n2,3\n',
  'homework.csv':
    'course,task_type,handed_in,points,late?\nDatabases,essay,2026-03-01,8,no\nStatistics,quiz,2026-03-08,9,yes\n',
  'grades.csv': 'course,points\nCS1,8\nCS2,9\n',
  'trips.csv': 'pupil,trip,paid\nMia,Zoo,4\nBo,Museum,5\n',
  'gifts.csv': 'What,Amount,Date\nRent,10,2026-01-02\nRent,11,2026-02-02\nLamp,15,2026-02-03\n',
  'pets.csv': 'id,name,owner_id,kind,weight\n7,Rex,1,small dog,9\n8,Molly,2,cat,4\n',
  'stays.csv': 'place,nights,cost\nRome,3,300\nOslo,3,400\n',
  'minutes.csv': 'training_id,member_no,minutes\n1,2,60\n2,3,90\n',
  'visits.csv':
    'day,pupil,status\n2026-03-01,Mia,late\n2026-03-02,Mia,present\n2026-03-02,Bo,present\n',
  'orders.csv': 'order,customer,quantity\n1,A,9\n2,B,1\n3,B,2\n',
};

const ask = askFiles(files);

it.each<[string, unknown]>([
  ['total amount for paid bills in bills.csv', [[55]]],
  ['total amount paid in August in bills.csv', [[55]]],
  ['how much do our contracts cost per month in contracts.csv', [[40]]],
  ['how many passengers do we have with a pass in passengers.csv', [[1]]],
  ['names of the subs with Mia and Jonas', [['Film']]],
  ['names of the subs with Mia or Jonas', [['Film'], ['Music']]],
  ['names of the subs where rooms is 1', [['Film']]],
  ['What was the biggest gift in gifts.csv?', [['Lamp', 15, '2026-02-03']]],
  [
    'number of notes per level in notes.csv',
    [
      ['[INFO]', 2],
      ['[WARN]', 1],
    ],
  ],
])('answers %s', async (question, expected) => {
  expect((await ask(question)).data['rows']).toEqual(expected);
});

it.each([
  'how many cars do we have with carplay in cars.csv',
  'how many cars did we ring in cars.csv',
  'which bills were not paid late in bills.csv',
  'which bills are late in bills.csv',
  'total goals against in games.csv',
  'which courses have no essay yet in homework.csv',
  'which homework was handed in late in homework.csv',
  'when is the quiz in Statistics in pets.csv',
  'how many points did I get in Databases in grades.csv',
  'total trip money per trip in trips.csv',
  'what do I still have to do for the Zoo trip in trips.csv',
  'who owns Rex in pets.csv',
  'the two heaviest dogs in pets.csv',
  'who is the oldest child in the kind in pets.csv',
  'cost per night for each stay in stays.csv',
  'who has been with us the longest in minutes.csv',
  'Which pupils were not late in visits.csv?',
  'Which pupils have never been late in March 2026 and in room 2 in visits.csv?',
  'Who has adopted more than one pet in pets.csv?',
])('refuses %s', async (question) => {
  await expect(ask(question)).rejects.toMatchObject({ name: 'TaskError' });
});

it('does not choose a file by a word that is a column of another one', async () => {
  const { text } = await ask('how much was paid in August');
  expect(text).toContain('bills.csv');
});

const askOfTimes = askFiles({
  'agreements.csv': 'contract,valid_from\nA,2025-01-01\nB,2026-01-01\n',
  'terms.csv':
    'contract,valid_from,valid_until\nA,2024-01-01,2025-02-01\nB,2025-01-01,2026-01-01\n',
  'sales.csv': 'product,stock,expires\nMilk,0,2025-04-01\nRice,4,2026-01-01\n',
  'vaccinations.csv': 'pet,valid_until\nRex,2099-03-01\n',
  'appointments.csv': 'patient,date\nRex,2025-02-03\nRex,2099-02-03\n',
  'consultations.csv': 'patient,date,status\nRex,2025-02-03,done\nRex,2025-03-03,cancelled\n',
});

it.each<[string, unknown]>([
  ['Which contracts expired before 1 May 2025 in terms.csv', [['A', '2024-01-01', '2025-02-01']]],
  ['When was Rex last here in appointments.csv?', [['2025-02-03']]],
  ['When was the last appointment in appointments.csv?', [['2025-02-03']]],
  ['When is the last appointment in appointments.csv?', [['2099-02-03']]],
  ['Which contracts expired before 1 May 2025 in agreements.csv?', undefined],
  ['Which products ran out before 1 May 2025 in sales.csv?', undefined],
  ['When was Rex last vaccinated in vaccinations.csv?', undefined],
  ['When was Rex last here in consultations.csv?', undefined],
])('takes no other time for the one of: %s', async (question, rows) => {
  const said = await askOfTimes(question).catch(() => undefined);
  expect(said?.data['rows']).toEqual(rows);
});

const askShop = askFiles({
  'clients.csv': 'id,name,country\n1,Ann,DE\n2,Bo,FR\n3,Cy,DE\n',
  'sales.csv':
    'sale,client_id,date,amount,status,method\n1,1,2025-01-02,5,paid,card\n2,2,2025-01-03,6,paid,cash\n3,9,2025-02-01,90,open,card\n4,,2025-02-02,80,paid,card\n5,1,2025-02-03,1,open,card\n',
  'settings.json':
    '{"port":8080,"level":3,"database":{"port":5433,"name":"x"},"log":{"level":"info"}}',
});

it.each<[string, unknown]>([
  [
    'top 3 clients by total amount',
    [
      ['Ann', 6],
      ['Bo', 6],
    ],
  ],
  [
    'How many sales came from each country?',
    [
      ['DE', 2],
      ['FR', 1],
    ],
  ],
  [
    'Number of sales per client name',
    [
      ['Ann', 2],
      ['Bo', 1],
    ],
  ],
  ['What port does the database use?', [[5433]]],
  ['What is the level of the log?', [['info']]],
  ['What is the port in settings.json?', [[8080]]],
  ['port and database port in settings.json', [[8080, 5433]]],
])('takes no row without a partner and no other key: %s', async (question, rows) => {
  expect((await askShop(question)).data['rows']).toEqual(rows);
});

const askServices = askFiles({
  'services.json':
    '[{"name":"api","port":443,"database":{"name":"webdb","port":5432}},{"name":"job","port":80,"database":{"name":"jobdb","port":5433}}]',
});

it.each<[string, unknown]>([
  ['name of the service with database port 5433', [['job']]],
  ['port of the service whose database name is webdb', [[443]]],
])('takes the key of a row, although its object has one: %s', async (question, rows) => {
  expect((await askServices(question)).data['rows']).toEqual(rows);
});

it('says how many rows have no partner', async () => {
  const { text } = await askShop('Total amount per country of the clients');
  expect(text).toContain('2 rows without a client left out');
});

it.each([
  'sales paid by card',
  'amount of the sales paid with card',
  'What port does the log use?',
])('does not use one word twice, or not at all: %s', async (question) => {
  await expect(askShop(question)).rejects.toMatchObject({ name: 'TaskError' });
});

it('shows the statement that gives the shown rows', async () => {
  const { data, text } = await askShop('Which client has the highest total amount?');
  expect(data['rows']).toHaveLength(2);
  expect(text).toContain('LIMIT 2');
});

const askOfClinic = askFiles({
  'checks.csv':
    'check,reason,date,duration,next_date\n1,teeth,2026-01-02,00:40,2026-01-20\n2,ears,2026-01-03,01:10,2026-01-09\n',
  'shows.csv': 'id,title,hall\n1,Winter Show,Mill\n2,Spring Show,Mill\n3,Carnival,Barn\n',
  'acts.csv': 'show_id,act,maker\n1,Rain,Bo\n2,Sun,Bo\n3,Mask,Bo\n',
});

it.each(['how long does a check take on average', 'which check was the longest'])(
  'takes no span between dates for the duration in %s',
  async (question) => {
    await expect(askOfClinic(question)).rejects.toMatchObject({ name: 'TaskError' });
  },
);

it('does not read a table as a part of some of its values', async () => {
  expect((await askOfClinic('acts by Bo in our shows')).data['rows']).toHaveLength(3);
});

const askPost = askFiles({
  'clients.csv': 'client,role,joined\nAnn,client,2024\nBo,partner,2025\nCy,client,2025\n',
  'routes.csv': 'route,name,km\nR1,Harbour,9\nR2,Hills,5\n',
  'parcels.csv': 'parcel,route,client,price\n1,R1,Ann,4\n2,R1,Bo,6\n3,R2,Bo,6\n',
  'complaints.csv': 'complaint,parcel,refund\n1,1,3\n2,2,1\n',
});

it.each<[string, unknown]>([
  ['Which clients have no parcel?', [['Cy', 'client', 2025]]],
  ['Which clients joined in 2025?', 2],
  ['Number of parcels per route name', 2],
])('takes no noun of rows for a value, and no code for a name: %s', async (question, expected) => {
  const { rows } = (await askPost(question)).data as { rows: readonly unknown[][] };
  if (typeof expected === 'number') expect(rows).toHaveLength(expected);
  else expect(rows).toEqual(expected);
});

it('takes no refunds for takings', async () => {
  await expect(askPost('Takings per parcel in complaints.csv')).rejects.toThrow('Takings');
});

const askLibrary = askFiles({
  'loans.csv':
    'loan,reader,book,taken,returned,state\n1,Ann,Emma,2026-03-01,2026-03-05,back\n2,Ann,Emma,2026-04-01,2026-04-09,back\n3,Ann,Emma,2026-05-01,2026-05-20,back\n4,Bo,Emma,2026-03-02,2026-03-09,back\n5,Bo,Lolita,2026-05-02,,out\n',
  'visits.csv': 'id,loan,day\n1,1,2026-06-01\n2,1,2026-07-01\n',
  'crops.csv': 'crop,weight_kg,donated\nkale,3,yes\nkale,4,no\n',
  'shelves.csv': 'shelf,name,books,keeper_id\nA,Attic,10,K1\nB,Barn,20,K2\n',
  'keepers.csv': 'keeper_id,name,phone\nK1,Cy,11\nK2,Di,22\n',
});

it.each([
  ['Which reader borrowed the most books?', 'may mean rows or different values of book'],
  ['longest loan with the state out', 'No row that fits has a value'],
  ['loans older than 10 days', 'older'],
  ['total weight of donated kale in crops.csv', 'donated'],
])('does not choose between two meanings: %s', async (question, problem) => {
  await expect(askLibrary(question)).rejects.toThrow(problem);
});

it.each<[string, unknown]>([
  ['Which reader borrowed the most different books?', [['Bo', 2]]],
  ['average books per shelf', [[15]]],
  ['name and phone of the keeper of the Barn shelf', [['Di', 22]]],
])('answers %s from the rows that are meant', async (question, expected) => {
  expect((await askLibrary(question)).data['rows']).toEqual(expected);
});

it('shows the rows of a file by each of its times, and not those of another file', async () => {
  const { text } = await askLibrary('number of loans per month');
  expect(text).toContain('by taken or by returned');
  expect(text).not.toContain('visits.csv');
});

const askSenders = askFiles({
  'couriers.csv': 'name,depot,hourly_wage\nAnn,Oslo,31\nBo,Rome,29\n',
  'tools.csv': 'tool,price\nsaw,10\nrake,20\n',
  'parcels.csv':
    'parcel,sender,sent,delivered,weight_kg,condition\n1,Ann,2026-03-01,2026-03-05,3,good\n2,Ann,2026-03-01,2026-03-02,9,worn\n3,Bo,2026-03-03,2026-03-04,5,good\n',
  'feedback.csv':
    'id,customer,comment\n1,Ann,We were charged twice for the same order\n2,Bo,Rye always sells out long before noon\n3,Cy,Discount is missing on the whole invoice\n4,Cy,The labels came without the allergens again\n',
  'books.csv': 'book,title,pages\n1,The Diary of a Young Girl,300\n2,Emma,200\n3,Dune,400\n',
});

it.each([
  'how many customers do we have twice in feedback.csv',
  'how many customers do we have before noon in feedback.csv',
  'average pages of young books in books.csv',
  'top 2 duplicate parcels by weight in parcels.csv',
  'how many parcels of parcels.csv do we have each',
  'the two heaviest parcels by day in parcels.csv',
  'Which sender ships the most parcels by day of sent in parcels.csv?',
  'how many successful parcels are in parcels.csv',
  'how many couriers do we have in couriers.csv who are over 30',
  'Which tools of tools.csv are missing?',
  'how many parcels sent by Ann in parcels.csv compared to last year, by sent',
])('gives no word of a question a meaning that it does not have: %s', async (question) => {
  await expect(askSenders(question)).rejects.toMatchObject({ name: 'TaskError' });
});

const askStation = askFiles({
  'vehicles.csv': 'vehicle,year,next_inspection\nV1,2014,2027-01-01\nV2,2010,2028-01-01\n',
  'ladders.csv': 'ladder,length_m,next_inspection\nL1,3,2027-01-01\nL2,4,2028-01-01\n',
  'trips.csv':
    'trip,started,ended\n1,2026-03-31,2026-04-02\n2,2026-04-05,2026-04-07\n3,2026-04-09,2026-04-10\n',
});

it('takes the year for the age, and the named time for the month', async () => {
  const oldest = await askStation('the oldest vehicle in vehicles.csv');
  expect(oldest.data['rows']).toEqual([['V2', 2010, '2028-01-01']]);
  await expect(askStation('the oldest ladder in ladders.csv')).rejects.toThrow('oldest');
  const months = await askStation('number of trips per month in trips.csv, by started');
  expect(months.data['rows']).toEqual([
    ['2026-03', 1],
    ['2026-04', 2],
  ]);
});
