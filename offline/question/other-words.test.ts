import { expect, it } from 'vitest';
import { askFiles } from '../../test/sentences/ask-files.ts';

const ask = askFiles({
  'books.csv':
    'title,author,published,pages,price,copies,read\nEmma,Austen,1815,474,9.50,3,yes\nDune,Herbert,1965,612,12.00,1,no\nPersuasion,Austen,1817,249,8.50,0,no\n',
  'reviews.csv': 'book,reviewer,stars,text\nDune,Ann,5,great\nDune,Bo,4,\nEmma,Ann,1,slow\n',
  'lessons.csv':
    'lesson,teacher,day,room,fee,result\nL1,Dr Liu,Saturday,H1,0,failed\nL2,Ms Roy,Monday,H1,20,passed\nL3,Dr Liu,Monday,H2,35,absent\n',
  'budget.csv':
    'quarter,category,planned,spent\nQ1,heating,100,130\nQ2,heating,110,90\nQ1,books,50,40\n',
  'people.csv':
    'name,born,member_since,city\nAnn,1990-09-02,2021-05-01,York\nBob,1985-09-30,2025-02-01,Hull\nCid,1970-03-04,2019-01-01,York\n',
  'parts.csv':
    'part,supplier,stock,reorder_level,unit_cost\nbell,Nor,2,5,4\nchain,Nor,9,5,10\nlamp,Vel,1,3,20\n',
  'metrics.csv': 'host,p95_latency_ms\nweb1,900\nweb2,1200\n',
  'rentals.csv': 'rental,bike,out,back\n1,B1,2025-05-01,2025-05-03\n2,B2,2025-05-02,\n',
  'rooms.csv': 'room,price,kind\n1,50,tax\n2,60,other\n',
  'borrowed.csv': 'title,author,member\nEmma,Austen,Ann\nEmma,Austen,Bob\n',
  'players.csv': 'name,position\nAnn Lee,Forward\nBo Ray,Goalkeeper\nCid Fox,Forward\n',
  'goals.csv': 'minute,scorer,assist\n5,Ann Lee,Bo Ray\n9,Cid Fox,Ann Lee\n30,Ann Lee,\n',
  'shifts.csv':
    'date,employee,hours\n2025-01-01,Bo Ray,5\n2025-01-02,Ann Lee,6\n2025-01-03,Bo Ray,4\n',
  'shop.log':
    '2025-06-12 06:51:50 INFO GET /bikes 200 298ms ok\n2025-06-12 07:05:26 ERROR POST /login 502 6595ms gateway\n2025-06-12 07:06:00 ERROR POST /login 500 100ms\n',
});

it.each<[string, unknown]>([
  ['Which books were published before 1900?', 2],
  ['Which books have I not read yet?', 2],
  ['How many pages do I still have to read?', [[861]]],
  ['How many 5 star reviews do we have?', [[1]]],
  ['Which lessons does Dr Liu teach?', 2],
  ['how often am I in H1', [[2]]],
  ['lessons on mondays', 2],
  ['How many absences are there in lessons.csv?', [[1]]],
  ['failure rate of the lessons', [[33.33]]],
  ['In which quarters did the heating cost more than planned?', [['Q1']]],
  ['By how much did our total spent differ from the total planned in budget.csv?', [[0]]],
  ['planned in total in budget.csv', [[260]]],
  ['who was born in september', 2],
  ['who joined in 2025', [['Bob', '1985-09-30', '2025-02-01', 'Hull']]],
  ['Which parts need reordering, i.e. the stock is below the reorder level?', 2],
  ['What do I have to buy? (stock is below reorder_level)', 2],
  ['how much is our whole stock of parts worth? (stock times unit cost)', [[118]]],
  ['parts from every supplier except Nor', [['lamp', 'Vel', 1, 3, 20]]],
  ['which suppliers do we get more than 1 part from', [['Nor', 2]]],
  ['metrics where latency was above 1000 ms', [['web2', 1200]]],
  ['which bikes have not come back yet', [['B2']]],
  [
    'the two oldest books with author',
    [
      ['Emma', 'Austen'],
      ['Persuasion', 'Austen'],
    ],
  ],
  ['the parts where nobody entered a supplier in parts.csv', []],
  ['errors between 10 and 13 June in shop.log', 2],
  ['all lessons except the ones on monday', [['L1', 'Dr Liu', 'Saturday', 'H1', 0, 'failed']]],
  ['is any city in people.csv more than once?', [['York', 2]]],
  ['most frequent error message in shop.log', 2],
  [
    'number of shifts per position of the player',
    [
      ['Goalkeeper', 2],
      ['Forward', 1],
    ],
  ],
  ['which players in players.csv do not appear in shifts.csv', [['Cid Fox', 'Forward']]],
  ['requests per path in shop.log, with status 500 or higher', [['/login', 2]]],
])('answers %s', async (question, expected) => {
  const { rows } = (await ask(question)).data as { rows: readonly unknown[][] };
  if (typeof expected === 'number') expect(rows).toHaveLength(expected);
  else expect(rows).toEqual(expected);
});

it.each([
  'how many assists did Cid Fox give in goals.csv',
  'how many assists per player of players.csv',
  'free rooms of rooms.csv',
  'tax rate of rooms.csv',
  'how many books are in borrowed.csv?',
  'highest grade in lessons.csv',
  'hourly rate of L2 in lessons.csv',
  'who makes more than 4 in parts.csv',
])('refuses %s', async (question) => {
  await expect(ask(question)).rejects.toMatchObject({ code: 'NOT_UNDERSTOOD' });
});

it.each([
  'who limped in people.csv? (city York)',
  'how many books from Berlin (price over 9) are in books.csv?',
  'how many books were shipped (price over 9)?',
])('does not take a condition in parentheses for what a word means: %s', async (question) => {
  await expect(ask(question)).rejects.toMatchObject({ code: 'NOT_UNDERSTOOD' });
});
