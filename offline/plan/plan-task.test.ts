import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startCpuClock } from '../../test/setup/cpu-clock.ts';
import { planTask } from './plan-task.ts';

/** A plan as `description <needed step ~step to wait for`, for tables. */
const lines = (task: string) =>
  planTask(task).map(({ description, depends_on, order_only = [] }) =>
    [
      description,
      ...depends_on.map((id) => id.replace('step_', order_only.includes(id) ? '~#' : '<#')),
    ].join(' '),
  );

describe('planTask', () => {
  it.each<[string, string, string[]]>([
    [
      'splits chained clauses, carries the file and makes the report wait for both',
      'Find the ten slowest requests in examples/access.log, group the errors by endpoint, and save a report as report.md',
      [
        'Find the ten slowest requests in examples/access.log',
        'Group the errors by endpoint in examples/access.log',
        'Save a report as report.md <#1 <#2',
      ],
    ],
    [
      'reads a file in front of a colon or in brackets as the one of the question',
      'plan.md: how many tasks are done and how many are open?',
      ['How many tasks are done in plan.md', 'How many tasks are open in plan.md?'],
    ],
    [
      'knows abbreviations, initials and what stands in brackets behind a question',
      'How many books by Ursula K. Le Guin has Dr. Liu read? (done or open)',
      ['How many books by Ursula K. Le Guin has Dr. Liu read? (done or open)'],
    ],
    [
      'ends a sentence behind a single letter',
      'List the rows with grade A. Save them as a.csv.',
      ['List the rows with grade A.', 'Save them as a.csv. <#1'],
    ],
    [
      'keeps ties, counts and what is enough',
      'Break the bills down by room, break ties by name. Two are enough.',
      ['Group the bills by room, break ties by name. Two are enough.'],
    ],
    [
      'names the file that is to be shown',
      'Replace "a" with "b" in notes.txt and show me the file',
      ['Replace "a" with "b" in notes.txt', 'Show me notes.txt <#1'],
    ],
    [
      'knows other words for the same',
      'Show the 5 largest responses in logs/web.log, then count the requests per status and write the report to out.txt.',
      [
        'Show the 5 largest responses in logs/web.log',
        'Count the requests per status in logs/web.log',
        'Write the report to out.txt. <#1 <#2',
      ],
    ],
    [
      'keeps the description of a file with the sentence that says where it comes from',
      'Using the SQLite database c.db, find the five countries with the highest revenue. Write result.json as a list of {"country","revenue"} ordered by revenue (ties by country name), rounded to 2 decimals.',
      [
        'Using the SQLite database c.db, find the five countries with the highest revenue. Write result.json as a list of {"country","revenue"} ordered by revenue (ties by country name), rounded to 2 decimals.',
      ],
    ],
    [
      'keeps the sentence that introduces a file with the one that uses it',
      'a.log is a combined log. Write top.json: the ten addresses with the most requests as a list of {"ip","n"} (n = number of requests), most first, ties by address.',
      [
        'a.log is a combined log. Write top.json: the ten addresses with the most requests as a list of {"ip","n"} (n = number of requests), most first, ties by address.',
      ],
    ],
    [
      'gives qualifying sentences to the step they speak of',
      'p.csv lists products. Write s.csv with header a,b: per Category the sum of Price*Stock, highest first. Round to 2 decimals. Ties by name.',
      [
        'p.csv lists products. Write s.csv with header a,b: per Category the sum of Price*Stock, highest first. Round to 2 decimals. Ties by name.',
      ],
    ],
    [
      'reads short courtesy, and leaves misspellings to the capsule',
      'pls let me see the email adresses in a.txt, and saved as out.md',
      ['Show me the email adresses in a.txt', 'Save it as out.md <#1'],
    ],
    [
      'reads email as a noun, and put as save',
      'Put the members with name and email only into a.csv',
      ['Save the members with name and email only into a.csv'],
    ],
    [
      'reads adding up as a sum',
      'Add up the kg for every crop and write the totals to t.md',
      ['Sum the kg for every crop', 'Write the totals to t.md <#1'],
    ],
    [
      'reads numbered lines',
      '1. Count the lines in a.txt\n2. Count the words in it\n3. Save the results as out.md',
      [
        'Count the lines in a.txt',
        'Count the words in a.txt',
        'Save the results as out.md <#1 <#2',
      ],
    ],
    [
      'reads numbers inside one line, after courtesy',
      'Please do the following: 1) list the files in docs/ 2) search for "TODO" in docs/ 3) write the answer to todo.txt',
      [
        'List the files in docs/',
        'Search for "TODO" in docs/',
        'Write the answer to todo.txt <#1 <#2',
      ],
    ],
    [
      'reads bullets, and makes everything after a command wait for it',
      '- Run `make data`\n- count the lines in out.csv\n- save the output to out.txt',
      ['Run `make data`', 'Count the lines in out.csv <#1', 'Save the output to out.txt <#1 <#2'],
    ],
    [
      'keeps fenced SQL with its sentence',
      'Run this SQL on c.db:\n```sql\nSELECT a, b FROM t; -- then save it\n```\nand save the result as out.csv',
      [
        'Run this SQL on c.db:\n```sql\nSELECT a, b FROM t; -- then save it\n```',
        'Save the result as out.csv <#1',
      ],
    ],
    [
      'says what bare code is',
      '```python\nprint(1)\n```',
      ['Run this Python code:\n```python\nprint(1)\n```'],
    ],
    [
      'chains a page, its summary and the saving of it',
      'Fetch https://example.com/a.html?x=1, summarise it in 3 sentences, then save the summary as s.md.',
      [
        'Fetch https://example.com/a.html?x=1',
        'Summarise it in 3 sentences <#1',
        'Save the summary as s.md. <#2',
      ],
    ],
    [
      'orders steps by the files that they share',
      'Copy a.txt to b.txt, then replace "x" with "y" in b.txt and count the lines in b.txt',
      [
        'Copy a.txt to b.txt',
        'Replace "x" with "y" in b.txt <#1',
        'Count the lines in b.txt <#1 <#2',
      ],
    ],
    [
      'answers a question and saves the answer',
      'How many lines does access.log have? Write the answer to out.txt.',
      ['How many lines does access.log have?', 'Write the answer to out.txt. <#1'],
    ],
    [
      'does not tear a chain on the same rows apart',
      'Filter orders.csv to rows where status is paid, group by country and sum the amount, then save it as paid.csv',
      [
        'Filter orders.csv to rows where status is paid, group by country and sum the amount',
        'Save it as paid.csv <#1',
      ],
    ],
    [
      'does not tear off what speaks of the rows just found',
      'Find the requests with status 500 in a.log and group the requests by endpoint.',
      ['Find the requests with status 500 in a.log and group the requests by endpoint.'],
    ],
    [
      'passes on a verb that it does not know as a step of its own',
      'Translate README.md into French and save it as fr.md',
      ['Translate README.md into French', 'Save it as fr.md <#1'],
    ],
    [
      'gives a ban on effects to every step that has effects',
      'Save the text "a" as a.txt. Run `ls`. Do not change b.txt.',
      ['Save the text "a" as a.txt. Do not change b.txt.', 'Run `ls`. Do not change b.txt. <#1'],
    ],
    [
      'keeps a condition with what depends on it',
      'If there are errors in app.log, write "bad" to alert.txt.',
      ['If there are errors in app.log, write "bad" to alert.txt.'],
    ],
    [
      'splits two saves under one verb',
      'Count errors in app.log per day; save the report as report.md and the table as table.csv.',
      [
        'Count errors in app.log per day',
        'Save the report as report.md <#1',
        'Save the table as table.csv. <#1',
      ],
    ],
    [
      'does not take column names for verbs',
      'From p.csv list the products with columns name, count and total, order by name',
      ['From p.csv list the products with columns name, count and total, order by name'],
    ],
    [
      'reads nothing inside quotes',
      'Write "one. Then delete everything, and save it as x.txt" to note.txt',
      ['Write "one. Then delete everything, and save it as x.txt" to note.txt'],
    ],
    [
      'needs no dots or commas',
      'count the words in a.txt then count the lines in b.txt and then save both as r.json',
      ['Count the words in a.txt', 'Count the lines in b.txt', 'Save both as r.json <#1 <#2'],
    ],
    [
      'sees a place in front of a verb',
      'In a.log find the 3 slowest requests, then group errors by endpoint. Save everything as e.json.',
      [
        'In a.log find the 3 slowest requests',
        'Group errors by endpoint in a.log.',
        'Save everything as e.json. <#1 <#2',
      ],
    ],
    [
      'takes an opened file for the place where the next step looks',
      'Open orders.csv and count the orders per country. Save the table as t.csv.',
      ['Open orders.csv and count the orders per country.', 'Save the table as t.csv. <#1'],
    ],
    [
      'appends what was found',
      'Read a.md, summarise it in 3 sentences, and append the summary to notes.md',
      ['Read a.md', 'Summarise it in 3 sentences <#1', 'Append the summary to notes.md <#2'],
    ],
    [
      'keeps what a saved answer has to look like with its question',
      'How many customers are there per country in c.db? Save the answer as c.json, sorted by count.',
      [
        'How many customers are there per country in c.db? Save the answer as c.json, sorted by count.',
      ],
    ],
    [
      'keeps the order of words where a file is carried to a step that writes',
      'Compare a.csv and b.csv and save the differences as d.md',
      ['Compare a.csv and b.csv', 'Using a.csv and b.csv, save the differences as d.md'],
    ],
    [
      'reads names of files and words in any script',
      'Zähle die Zeilen von größe.txt. Count the lines in журнал.log, then count the words in 日本語.txt and save both as отчёт.md',
      [
        'Zähle die Zeilen von größe.txt.',
        'Count the lines in журнал.log',
        'Count the words in 日本語.txt ~#1 ~#2',
        'Save both as отчёт.md <#1 <#2 <#3',
      ],
    ],
    [
      'carries a file whose name has marks and pictures in it',
      'Find the 3 slowest requests in हिन्दी.log, group the errors by endpoint and save a report as 📊-résumé.md',
      [
        'Find the 3 slowest requests in हिन्दी.log',
        'Group the errors by endpoint in हिन्दी.log',
        'Save a report as 📊-résumé.md <#1 <#2',
      ],
    ],
    [
      'gives the result of a search to what follows, not the file again',
      'Search a.log for POST and count the lines',
      ['Search a.log for POST', 'Count the lines in what was found before <#1'],
    ],
    [
      'does the same with a filter, and with an order, before a save',
      'Orders above 40 in orders.csv, cheapest first, save the customers as names.txt',
      ['Orders above 40 in orders.csv, cheapest first', 'Save the customers as names.txt <#1'],
    ],
    [
      'does the same with a top list, unless what follows makes groups of its own',
      'List the three largest orders of a.csv by amount and sum the amount',
      [
        'List the three largest orders of a.csv by amount',
        'Sum the amount in what was found before <#1',
      ],
    ],
    [
      'gives found rows to a step that saves a part of them, also where no file is named',
      'Which sales are open? Then save their ids as o.csv',
      ['Which sales are open?', 'Save their ids as o.csv <#1'],
    ],
    [
      'counts what was found, and goes on with it',
      'Show the sales of DE in a.csv. How many are there? Save their amounts as b.csv',
      [
        'Show the sales of DE in a.csv.',
        'How many are there in what was found before? <#1',
        'Save their amounts as b.csv <#1',
      ],
    ],
    [
      'calls a renamed file by its new name',
      'Rename src/b.txt to src/a.txt, append "four" to it and count its lines',
      [
        'Rename src/b.txt to src/a.txt',
        'Append "four" to src/a.txt <#1',
        'Count the lines in src/a.txt <#1 <#2',
      ],
    ],
    [
      'takes a sentence that only narrows a question as part of it',
      'Which sales are open? And only the ids',
      ['Which sales are open? And only the ids'],
    ],
    [
      'carries the file of a step that takes all of it',
      'Sum the amount by country in a.csv, then count the orders',
      ['Sum the amount by country in a.csv', 'Count the orders in a.csv'],
    ],
    [
      'keeps the order word of a noun',
      'First and last order in orders.csv',
      ['First and last order in orders.csv'],
    ],
    [
      'lets a report say what was changed',
      'Count the lines of a.txt, then append "x" to a.txt, then save a report as c.md',
      ['Count the lines of a.txt', 'Append "x" to a.txt <#1', 'Save a report as c.md <#1 <#2'],
    ],
    [
      'leaves out the words that only tie steps',
      'First, count the lines of a.txt. Then count the words of b.txt. Finally, save a report as c.md',
      ['Count the lines of a.txt.', 'Count the words of b.txt.', 'Save a report as c.md <#1 <#2'],
    ],
    [
      'takes no verb out of the middle of a foreign word',
      'Count rows in a.csv where città is Forlì, and säve is not null',
      ['Count rows in a.csv where città is Forlì, and säve is not null'],
    ],
    [
      'leaves the form of a figure with its question',
      'From a.csv, group by country and sum the amount, total rounded to 2 decimals',
      ['From a.csv, group by country and sum the amount, total rounded to 2 decimals'],
    ],
    [
      'leaves a form behind the described file',
      'Using a.csv, find the total amount per country. Write t.json as a list of {"country","total"} ordered by total from high to low, total rounded to 2 decimals.',
      [
        'Using a.csv, find the total amount per country. Write t.json as a list of {"country","total"} ordered by total from high to low, total rounded to 2 decimals.',
      ],
    ],
    [
      'takes the top of what was sorted for one question',
      'Sort a.csv by amount descending and show the top 4, then save it as t.csv',
      ['Sort a.csv by amount descending and show the top 4', 'Save it as t.csv <#1'],
    ],
    [
      'counts the lines with a word that is also a name of a file',
      'Search src for TODO and count the lines that contain TODO in notes.txt',
      ['Search src for TODO', 'Count the lines that contain TODO in notes.txt'],
    ],
    [
      'asks each of several questions about the same file',
      'How many orders are in orders.csv and which customer spent the most?',
      ['How many orders are in orders.csv', 'Which customer spent the most in orders.csv?'],
    ],
    [
      'takes their sum for that of the rows just found',
      'Show the three largest orders of a.csv by amount. What is their sum?',
      [
        'Show the three largest orders of a.csv by amount.',
        'What is their sum in what was found before? <#1',
      ],
    ],
    [
      'saves two texts under one verb',
      'Write "a" to a.txt and "b" to b.txt',
      ['Write "a" to a.txt', 'Write "b" to b.txt'],
    ],
    [
      'leaves a short question with the one before it',
      'Are there unpaid bills in bills.csv? If so, which ones?',
      ['Are there unpaid bills in bills.csv? which ones?'],
    ],
    [
      'leaves the columns that are asked for with the question',
      'Do any two members share a phone? I need the names from members.csv.',
      ['Do any members share a phone? I need the names from members.csv.'],
    ],
    [
      'saves what comes after "then" as "it"',
      'Run `echo hi`, then count the lines of a.csv and save it as n.csv',
      ['Run `echo hi`', 'Count the lines of a.csv <#1', 'Save it as n.csv ~#1 <#2'],
    ],
    [
      'reads a last sentence that only names the file with the question',
      'Who has not paid yet? They are all in members.csv.',
      ['Who has not paid yet in members.csv.'],
    ],
    [
      'leaves a list of short questions behind a colon together',
      'grade C in a.csv: which crop, when and how many kg',
      ['Grade C in a.csv: which crop, when and how many kg'],
    ],
    [
      'asks for the rows that were counted',
      'How many bills are unpaid? And which ones?',
      ['How many bills are unpaid?', 'Which bills are unpaid?'],
    ],
    [
      'asks Git about the repository after the step before, not about its file',
      'Copy a.csv to b.csv, then show the git status',
      ['Copy a.csv to b.csv', 'Show the git status <#1'],
    ],
    [
      'knows other words for asking, and for where to look',
      'Work out the mean price per shop according to a.csv, and write it to b.md',
      ['Calculate the mean price per shop in a.csv', 'Write it to b.md <#1'],
    ],
    [
      'reads the text of a section as what is under its heading',
      'what does the section "Opening hours" in a.md say?',
      ['What is under "Opening hours" in a.md?'],
    ],
    [
      'sums up figures, not texts',
      'Sum up what we spent per shop in a.csv. Sum up the notes in b.txt.',
      ['Total spent per shop in a.csv.', 'Sum up the notes in b.txt.'],
    ],
    [
      'names the files of a question behind a colon',
      'Combine a.csv and b.tsv: number of orders per town',
      ['Number of orders per town in a.csv and b.tsv'],
    ],
    [
      'leaves steps without a common file side by side behind a bare "and"',
      'Rename a.txt to b.txt and delete c.txt',
      ['Rename a.txt to b.txt', 'Delete c.txt'],
    ],
    [
      'makes all steps behind "then" wait for those in front of it',
      'Rename a.txt to b.txt and delete c.txt, then delete d.txt and count the lines in e.txt',
      [
        'Rename a.txt to b.txt',
        'Delete c.txt',
        'Delete d.txt ~#1 ~#2',
        'Count the lines in e.txt ~#1 ~#2',
      ],
    ],
    [
      'does not give the results of what is only waited for to a step that saves',
      'Show the orders from DE in orders.csv. Delete b.txt, then save them as de.csv',
      ['Show the orders from DE in orders.csv.', 'Delete b.txt', 'Save them as de.csv <#1 ~#2'],
    ],
    [
      'looks at the folder after everything that changes it',
      'Replace "a" with "b" in n.md, delete c.txt and show the diff',
      ['Replace "a" with "b" in n.md', 'Delete c.txt', 'Show the diff ~#1 ~#2'],
    ],
    ['passes a greeting on as it is', 'hello', ['hello']],
  ])('%s', (_behaviour, task, expected) => {
    expect(lines(task)).toEqual(expected);
  });

  it.each([
    'Rename a.txt to b.txt, then delete c.txt',
    'Rename a.txt to b.txt and then delete c.txt',
    'Rename a.txt to b.txt; after that, delete c.txt',
    'Rename a.txt to b.txt and afterwards delete c.txt',
    'Rename a.txt to b.txt, next delete c.txt',
    'Rename a.txt to b.txt. Then please delete c.txt',
    "Rename a.txt to b.txt. When that's done, delete c.txt",
    'First, rename a.txt to b.txt. Finally, delete c.txt',
    '1. Rename a.txt to b.txt\n2. Delete c.txt',
    '1) Rename a.txt to b.txt 2) delete c.txt',
    'Step 1: rename a.txt to b.txt. Step 2: delete c.txt',
  ])('%s: the second step waits for the first', (task) => {
    const [first, second] = planTask(task);
    expect(first).toMatchObject({ description: expect.stringContaining('a.txt'), depends_on: [] });
    expect(second).toMatchObject({ depends_on: ['step_1'], order_only: ['step_1'] });
  });

  it.each([
    'show the git diff',
    'show the git status',
    'show the last 3 commits',
    'list the files',
    'list all files in docs/',
    'which files contain "x"?',
    'run the tests',
    'run `npm run build`',
    'commit everything with the message "x"',
  ])('Append "x" to a.txt and %s: waits for the change of the file', (last) => {
    expect(planTask(`Append "x" to a.txt and ${last}`)[1]?.depends_on).toEqual(['step_1']);
  });

  it('gives the same plan for the same task', () => {
    const task = 'Find A in a.csv, then count B and save a report as r.md';
    expect(planTask(task)).toEqual(planTask(task));
  });
});

/** What a plan may leave out: joints, markers, courtesy, and pronouns that became a file name. */
const mayGo = new Set(
  'and then next finally lastly last first second third also after that please could can would you i want to step it the file in of from once done as per'.split(
    ' ',
  ),
);

const countWords = (text: string) => {
  const counts = new Map<string, number>();
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}_.]+/gu) ?? []) {
    const bare = word.replace(/^\.+|\.+$/g, '');
    if (bare !== '' && !mayGo.has(bare)) counts.set(bare, (counts.get(bare) ?? 0) + 1);
  }
  return counts;
};

const word = fc.constantFrom(
  ...'find list count group save write the a ten slowest requests errors by endpoint in as to of with status report.md access.log orders.csv result.json "quoted text, and save" `npm test` https://x.example/a?b=1 {"a","b"} them it results translate without only not if rows where amount per country summarise run fetch copy replace do use sorted unless except is are how many which'.split(
    ' ',
  ),
);
const joint = fc.constantFrom(
  ' ',
  ' ',
  ' ',
  ' ',
  ', ',
  '. ',
  '; ',
  ' and ',
  ', then ',
  '\n',
  '\n- ',
  ': ',
  '? ',
  '\n\n',
);

describe('no word of a task is lost', () => {
  it('whatever is thrown at it', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(word, joint), { minLength: 1, maxLength: 30 }), (parts) => {
        const task = parts.flat().join('');
        const planned = countWords(
          planTask(task)
            .map(({ description }) => description)
            .join(' \n '),
        );
        for (const [text, count] of countWords(task)) {
          if ((planned.get(text) ?? 0) < count)
            throw new Error(`lost "${text}" of ${JSON.stringify(task)}`);
        }
      }),
      { numRuns: 3_000 },
    );
  });

  it('survives any text at all, with steps that depend only on earlier ones', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (task) => {
        const steps = planTask(task);
        expect(steps.length).toBeGreaterThan(0);
        for (const [index, { depends_on }] of steps.entries()) {
          for (const id of depends_on)
            expect(steps.findIndex((step) => step.id === id)).toBeLessThan(index);
        }
      }),
    );
  });

  it.each([
    'a'.repeat(50_000),
    'a-'.repeat(25_000),
    'a b '.repeat(20_000),
    'find a, '.repeat(5_000),
    'x, '.repeat(5_000),
    'which one? '.repeat(2_000),
    '['.repeat(5_000),
    '"'.repeat(5_001),
    '1. '.repeat(5_000),
    '`'.repeat(5_001),
  ])('reads a hostile text in reasonable time (%#)', (task) => {
    const cpuMs = startCpuClock();
    expect(planTask(task).length).toBeGreaterThan(0);
    expect(cpuMs()).toBeLessThan(5_000);
  });
});
