import { expect, it } from 'vitest';
import { startCpuClock } from '../../../test/setup/cpu-clock.ts';
import { findWrittenFiles } from './written-files.ts';

it.each<[string, string[]]>([
  ['Extract all email addresses from notes.md into emails.txt', ['emails.txt']],
  ['Rename notes.md to protocol.md', ['protocol.md']],
  ['Append a summary of n.txt to notes.md', ['notes.md']],
  ['Translate t.txt and save it as notes.md', ['notes.md']],
  ['Compare a.csv with b.csv and save the differences to out.txt', ['out.txt']],
  ['Compare a.csv with b.csv, save to out.txt', ['out.txt']],
  ['Sort a.csv and save it as JSON to out.json', ['out.json']],
  ['Save it as "sums 2024.txt"', ['sums 2024.txt']],
  ['Save the result to a new file called out.json.', ['out.json']],
  ['Save the 3 cheapest to a.csv and the rest to b.csv', ['a.csv', 'b.csv']],
  ['Write top.json: the three clients of access.log', ['top.json']],
  ['Create a file named hello.txt with the text x', ['hello.txt']],
  ['Extract the addresses of notes.md, output: emails.txt', ['emails.txt']],
  ['Convert notes.md to HTML (result: notes.html)', ['notes.html']],
  ['List the links of notes.md. Output file: links.txt', ['links.txt']],
  ['Count the words of n.txt and note it in notes.md', ['notes.md']],
  ['Find the errors in app.log and write them down in errors.md', ['errors.md']],
  ['Save the summary as Makefile', ['Makefile']],
  ['Store the list as docs/README', ['docs/README']],
  ['Write the rules to .gitignore', ['.gitignore']],
])('%s needs %j written', (text, expected) => {
  expect(findWrittenFiles(text)).toEqual(expected.map((name) => ({ name, mayExist: false })));
});

it.each<[string, string[]]>([
  ['Translate notes.md to German in de.txt', ['de.txt']],
  ['Translate notes.md with the glossary in terms.txt', ['terms.txt']],
  ['Generate a report in report.md', ['report.md']],
  ['Save the lines of a.log in out.txt', ['out.txt']],
  ['Write a summary of the words in notes.md', ['notes.md']],
  ['Compare notes.md to minutes.md', ['minutes.md']],
  ['Summarise notes.md and compare it to minutes.md', ['minutes.md']],
  ['Summarise the changes from a.md to b.md', ['b.md']],
  ['Sort a.csv in the same order as b.csv', ['b.csv']],
  ['Sort a.csv according to b.csv', ['b.csv']],
  ['Add a line to notes.md unless it is there', ['notes.md']],
  ['notes.md -> notes.html', ['notes.html']],
])('%s needs %j to be there', (text, expected) => {
  const files = findWrittenFiles(text).filter(({ mayExist }) => mayExist);
  expect(files.map(({ name }) => name)).toEqual(expected);
});

it.each([
  'Count the lines in a.txt',
  'Does the word crane occur in a.txt?',
  'Rename foo to bar in main.py',
  'Rename docs/a.md to b.md',
  'Run `sort a.txt` in b.txt',
  'Run this:\n```python\nopen("x").write("saved as y.txt")\n```',
  'Send it to https://example.com/a.html',
  'Copy it to *.bak',
  'Rewrite a.py in Node.js',
  'Save the table as CSV',
  'Show a.txt as README',
  'Explain the result: all is well',
])('%s names no file to write', (text) => {
  expect(findWrittenFiles(text)).toEqual([]);
});

it('finds no file in a text in quotes or a command', () => {
  const names = (text: string) => findWrittenFiles(text).map(({ name }) => name);
  expect(names('Write "save it as x.txt" to hello.txt')).toEqual(['hello.txt']);
  expect(names('Run `sort a.txt` and save it as b.txt')).toEqual(['b.txt']);
});

it('reads a long text in bounded time', () => {
  const text = `${'save to '.repeat(3_000)}${'a.b '.repeat(10_000)}`;
  const cpuMs = startCpuClock();
  findWrittenFiles(text);
  expect(cpuMs()).toBeLessThan(1_000);
});
