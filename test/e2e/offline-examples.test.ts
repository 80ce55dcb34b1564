import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTaskRunner, type TaskRunner } from '../programs/run-tasks.ts';
import { type Person, temporaryPerson } from '../setup/temporary-person.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/offline.md'), 'utf8');

/** The expected content of the answer to each example of the page, for the files below. */
const expected: Readonly<Record<string, string>> = {
  'Which columns does orders.csv have?': 'amount',
  'How many rows does each table of shop.db have?': '| customers |    3 |',
  'Average amount per country in orders.csv': '| FR      |           79.5 |',
  'Revenue per hour for each stand in shifts.csv': '| north |                20 |',
  'The three largest orders of orders.csv by amount': 'LIMIT 3',
  'Which customer spent the most in shop.db?': 'Ann',
  'Orders from DE or FR over 50 since March 2024 in orders.csv': '2024-04-01',
  'Orders in 2024 or later, id and amount only, in orders.csv': 'date >= 2024',
  'Customers without orders in shop.db': 'Dee',
  'Orders per customer in shop.db': '| Ann           |      2 |',
  'The largest order in orders.csv, and on which date was that?': '2024-01-09',
  'How many tickets are still open?': '|       1 |',
  'On average, how many days did it take to close a ticket?': '2',
  'The largest order per country in orders.csv by amount': '|   3 | Ada      | DE      |  45.25 |',
  'How many errors are in app.log?': '|      1 |',
  'Requests per hour in access.log': '|        3 |',
  'Total amount per month in orders.csv, in chronological order': 'ORDER BY month',
  'Customers with more than one order in orders.csv': 'Ada',
  'Save all orders from FR in orders.csv as fr.csv': 'fr.csv',
  'Share of orders per country in orders.csv': '| DE      |',
  'Orders above the average amount in orders.csv': '|   4 | Eve      | FR      |  60.00 |',
  'List the 5 largest files': 'access.log',
  'Which files contain "deadline"?': 'plan.md',
  'Show the last 3 lines of notes.txt': 'three',
  'How many words are in notes.txt?': '10 words',
  'What are the 5 most common words in notes.txt?': '| one | 2 |',
  'List all email addresses in notes.txt': 'ann@example.org',
  'Show the open tasks in plan.md': 'call the bank',
  'Find all TODO comments in src/': 'src/main.py:1',
  'Replace "one" with "1" in notes.txt': '2 replaced',
  'Rename plan.md to done.md': 'done.md',
  'Delete old.txt': 'Deleted 1 file',
  'Append "bye" to notes.txt': 'Appended',
  'Set debug to true in config.json': 'from false to true',
  'Set the country of order 4 to DE in orders.csv': 'Set country',
  'Tick off "call the bank" in plan.md': 'Ticked off',
  'Add the line "- [ ] pay" under Plan in plan.md': 'Added',
  'Summarise notes.txt in 2 sentences': 'Extract of notes.txt',
  'Run `ls` and show the output': 'orders.csv',
  'Show the last 3 commits': 'first commit',
  'Run the tests': 'all fine',
};

const files: Readonly<Record<string, string>> = {
  'orders.csv':
    'id,customer,country,amount,date\n1,Ada,DE,10.50,2024-01-05\n2,Bo,FR,99.00,2024-01-09\n3,Ada,DE,45.25,2024-02-01\n4,Eve,FR,60.00,2024-04-01\n',
  'tickets.csv': 'id,opened,closed\n1,2026-03-02,2026-03-04\n2,2026-03-03,\n',
  'notes.txt': 'Write one mail.\nAsk ann@example.org today.\nCount one\ntwo three\n',
  'plan.md': '# Plan\n\n- [ ] call the bank\n- [x] deadline agreed\n',
  'old.txt': 'old\n',
  'config.json': '{"debug": false}\n',
  'app.log': '2026-03-02 08:00:00 INFO started\n2026-03-02 08:01:00 ERROR no disk\n',
  'src/main.py': '# TODO: tidy\n',
  'package.json': '{"scripts": {"test": "echo all fine"}}\n',
  'shifts.csv': 'stand,revenue,hours\nnorth,100,4\nnorth,60,4\nsouth,90,3\n',
  'access.log': ['06:00:01', '06:10:00', '06:59:59', '07:00:00']
    .map((time) => `10.0.0.1 - - [02/Mar/2026:${time} +0000] "GET /a HTTP/1.1" 200 100\n`)
    .join(''),
};

function writeFiles(folder: string): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  const db = new Database(join(folder, 'shop.db'));
  db.exec(`
    CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(id), total REAL);
    INSERT INTO customers VALUES (1, 'Ann'), (2, 'Bob'), (3, 'Dee');
    INSERT INTO orders VALUES (1, 1, 10.5), (2, 2, 4), (3, 1, 0.5);`);
  db.close();
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'ignore' });
  git('init', '-q');
  git('add', '-A');
  git('-c', 'user.name=Ann', '-c', 'user.email=a@example.org', 'commit', '-qm', 'first commit');
}

/** The sentences in the right column of the table. */
const examples = page
  .split('\n')
  .filter((line) => /^\| [^|]+ \| .*`/.test(line) && !line.includes('for example'))
  .flatMap((line) => [...(line.split('|')[2] ?? '').matchAll(/``(.+?)``|`([^`]+)`/g)])
  .map(([, long, short]) => (long ?? short ?? '').trim())
  .filter((text) => /^[A-Z]/.test(text) && !text.includes('https:'));

describe('an example of docs/offline.md', () => {
  let person: Person;
  let runner: TaskRunner;
  /** The files as each example finds them. */
  let original: string;
  beforeAll(async () => {
    person = temporaryPerson();
    original = join(person.home, 'original');
    mkdirSync(original);
    writeFiles(original);
    const settings = { provider: 'offline', approveMode: 'allow' };
    runner = await openTaskRunner(person, { settings });
  });
  beforeEach(() => {
    for (const name of readdirSync(person.project))
      rmSync(join(person.project, name), { recursive: true });
    cpSync(original, person.project, { recursive: true, preserveTimestamps: true });
  });
  afterAll(async () => {
    await runner.close();
    person.remove();
  });

  it.each(examples)('%s', async (task) => {
    const run = await runner.run(task);
    expect({ status: run.status, answer: run.answer }).toMatchObject({
      status: 'completed',
      answer: expect.stringContaining(expected[task] ?? 'NO EXPECTATION'),
    });
  });

  it('is expected to say something of its own', () => {
    expect(examples.toSorted()).toEqual(Object.keys(expected).toSorted());
  });
});
