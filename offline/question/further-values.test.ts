import { expect, it } from 'vitest';
import { askFiles } from '../../test/sentences/ask-files.ts';

const files = {
  'books.csv':
    'title,author,pages,shelf,lent_on,borrower\nDune,Herbert,600,A,2026-03-01,Ann\nEmma,Austen,300,B,,\nMomo,Ende,250,A,2026-04-02,Bo\n',
  'picks.csv':
    'date;bed;crop;kg;picker\n30.05.2026;B1;Leek;1,5;Dev\n02.06.2026;B2;Kale;2,25;Eve\n03.06.2026;B1;Leek;1,25;Dev\n',
  'costs.csv':
    'Date,What,Amount (EUR),Paid by\n2026-01-02,Rent,"1,204.50",Ann\n2026-01-15,Paint,185.48,Bo\n2026-02-03,Rope,12.25,Ann\n',
  'halls.csv': 'hall,seats,audience\nEast,100,40\nWest,80,60\n',
  'episodes.csv': 'id,show_id,aired_on,listeners\n1,1,2025-01-02,70\n2,2,2025-01-03,90\n',
  'shows.csv': 'id,title\n1,Morning Tide\n2,Lost Vinyl\n',
  'people.json': JSON.stringify([
    { first: 'Ann', email: 'a@x.example', section: 'stage' },
    { first: 'Bo', email: 'a@x.example', section: 'sound' },
    { first: 'Cy', email: 'c@x.example', section: 'stage' },
  ]),
};

const ask = askFiles(files);

it.each<[string, unknown]>([
  ['What is the highest number of pages, and on which shelf is that?', [['A', 600]]],
  [
    'Which books were lent in 2026, and who is the borrower?',
    [
      ['Dune', 'Herbert', 600, 'A', '2026-03-01', 'Ann'],
      ['Momo', 'Ende', 250, 'A', '2026-04-02', 'Bo'],
    ],
  ],
  ['Which books have no borrower? I need title and author', [['Emma', 'Austen']]],
  ['the longest book: title and shelf', [['Dune', 'A']]],
  ['What is the highest amount in costs.csv, and whose was it?', [['Ann', '1,204.50']]],
  ['which book has the most pages? Title and author will do.', [['Dune', 'Herbert']]],
  ['who picked the most kg? I need the name and the sum', [['Dev', 2.75]]],
  ['what are all the halls worth, i.e. seats times audience', [[8800]]],
  [
    'turnover per hall (seats times audience)',
    [
      ['West', 4800],
      ['East', 4000],
    ],
  ],
  [
    'Which episode had the most listeners, and of which show was it?',
    [[2, '2025-01-03', 90, 2, 'Lost Vinyl']],
  ],
  ['date of the first and of the last Leek pick', [['2026-05-30', '2026-06-03']]],
  [
    'group the costs by Paid by and give me the sum',
    [
      ['Ann', 1216.75],
      ['Bo', 185.48],
    ],
  ],
  ['date of the first and of the last pick', [['2026-05-30', '2026-06-03']]],
  ['who picked the most kg?', [['Dev', 2.75]]],
  [
    'Total pick in kg for each bed',
    [
      ['B1', 2.75],
      ['B2', 2.25],
    ],
  ],
  [
    'Do any two people in people.json have the same email? Tell me first and section.',
    [
      ['a@x.example', 'Ann', 'stage'],
      ['a@x.example', 'Bo', 'sound'],
    ],
  ],
  ['do people share an email? which one is it', [['a@x.example', 2]]],
  ['Are there books by Austen? Which one?', [['Emma', 'Austen', 300, 'B', '', '']]],
  ['Bed B2 in picks.csv: when, which crop and how many kg', [['B2', '02.06.2026', 'Kale', '2,25']]],
  ['what was our biggest cost', [['2026-01-02', 'Rent', '1,204.50', 'Ann']]],
  ['sum of Amount (EUR) in costs.csv', [[1402.23]]],
  ['What do the costs between 1 January and 31 January 2026 add up to?', [[1389.98]]],
  ['halls with an audience of less than half the seats', [['East', 100, 40]]],
  ['is there an email that occurs twice in people.json?', [['a@x.example', 2]]],
  [
    'people in people.json, all sections except sound',
    [
      ['Ann', 'a@x.example', 'stage'],
      ['Cy', 'c@x.example', 'stage'],
    ],
  ],
])('answers %s', async (question, expected) => {
  const { rows } = (await ask(question)).data as { rows: unknown };
  expect(rows).toEqual(expected);
});

it.each([
  ['pages per shelf in books.csv, and how often', 'often'],
  ['how many books have no borrower, and who is it?', '"who"'],
  ['seats per audience for each hall in halls.csv', 'quotient'],
  ['books sorted by author, title and pages', 'pages'],
  ['how many halls are there (seats times audience)', 'audience'],
  ['halls over 20 (seats times audience)', 'over'],
  ['count the picks by picker and bed, but only show pickers with 2 picks or more', 'only'],
])('refuses %s', async (question, reason) => {
  await expect(ask(question)).rejects.toThrow(reason);
});

it('adds no value that the groups of the answer do not have', async () => {
  await expect(ask('pages per shelf in books.csv, and who borrowed it?')).rejects.toThrow(
    'borrowed',
  );
});
