import { describe, expect, it } from 'vitest';
import { startCpuClock } from '../../../test/setup/cpu-clock.ts';
import { abilitiesInText } from './abilities-in-text.ts';

describe('the abilities that a subtask needs', () => {
  it.each([
    ['delete every file whose name has a date of 2024', ['delete']],
    ['Delete old.log', ['delete']],
    ['Please remove the empty folder build', ['delete']],
    ['Find all .tmp files and delete them', ['delete']],
    ['Which files are larger than 10 MB? Remove them.', ['delete']],
    ['Delete everything in cache/', ['delete']],
    ['I want you to erase the "old report.txt"', ['delete']],
    ['Rename each photo in photos/ by its date', ['move']],
    ['Move prices.csv to archive/', ['move']],
    ['Sort the files in downloads/ into folders by extension', ['move']],
    ['Fix the typo in README.md', ['write']],
    ['Count the lines of a.txt and save them as out.md', ['write']],
    ['Create a folder reports', ['write']],
    ['Run `npm test`', ['command']],
    ['Run the tests', ['command']],
    ['Compile the project', ['command']],
    ['Run this Python code:\n```python\nprint(2)\n```', ['execute']],
    ['Fetch https://example.com/ and show the text', ['web']],
    ['Look up the exchange rate online', ['web']],
    ['load orders.json into a new SQLite database', ['database_write']],
    ['Import people.csv into the table people of crm.sqlite', ['database_write']],
    ['Store the orders of orders.json in shop.db', ['database_write']],
    ['Turn orders.json into a database called orders.db', ['database_write']],
    ['Delete the cancelled orders from shop.db', ['database_write']],
    ['Add a column discount to the table orders in shop.db', ['database_write']],
    ['Run `DELETE FROM orders WHERE id = 1` on app.db', ['database_write']],
    ['Write hello to a.txt and then delete b.txt', ['write', 'delete']],
  ])('%s', (text, abilities) => {
    expect(abilitiesInText(text)).toEqual(abilities);
  });
});

describe('no ability is asked for by', () => {
  it.each([
    ['a question', 'Which files can I delete?'],
    ['a negation', 'Do not rename, move or delete files; list the files in src'],
    ['quoted text', 'Search for "delete all files" in src/'],
    ['a verb that is not an order', 'Count users who add and delete rows'],
    ['a request to explain', 'Show how to delete files in guide.md'],
    ['a part of a text', 'Remove the comments from all files'],
    ['rows of a table', 'Remove duplicates from orders.csv'],
    ['a column', 'Rename the column a to b in x.csv'],
    ['a line of a file', 'Remove example.com from hosts.txt'],
    ['a statistical test', 'Run a chi-square test on data.csv'],
    ['a query', 'Run `SELECT name FROM users` on app.db'],
    ['a path in a log', 'Count the requests with path /download in access.log'],
    ['an address in a log', 'Get the number of hits for https://x.org/y in access.log'],
    ['a sum over a database', 'Add up the amounts of shop.db'],
    ['a database that is converted', 'Convert shop.db to CSV'],
    ['a description of a database', 'Create a database schema overview of shop.db'],
  ])('%s: %s', (_what, text) => {
    expect(abilitiesInText(text)).toEqual([]);
  });

  it('a database that is only read, whatever file the answer is saved to', () => {
    const text = 'Save the totals per store in shop.db as totals.csv';
    expect(abilitiesInText(text)).toEqual(['write']);
  });
});

it('reads a long hostile text in bounded time', () => {
  const cpuMs = startCpuClock();
  for (const word of ['delete the ', 'to a ', ', run in a.b ', 'aaaaaaaa', 'add in '])
    abilitiesInText(word.repeat(20_000));
  expect(cpuMs()).toBeLessThan(2_000);
});
