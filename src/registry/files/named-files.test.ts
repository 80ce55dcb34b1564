import { describe, expect, test } from 'vitest';
import { findNamedFiles, maskNames, matchesAny } from './named-files.ts';

describe('files and addresses that a task names', () => {
  const cases: [string, string[], string[]][] = [
    ['Find the slowest requests in examples/access.log', ['examples/access.log'], []],
    [
      'Group the errors of access.log and save a report as report.md.',
      ['access.log'],
      ['report.md'],
    ],
    ['Convert `my data.csv` to out.json', ['my data.csv'], ['out.json']],
    ['Write the totals into "sums 2024.txt"', [], ['sums 2024.txt']],
    ['Read ./a.log, ../b.log and logs/*.log!', ['./a.log', '../b.log', 'logs/*.log'], []],
    ['Save it to a file named notes.md', [], ['notes.md']],
    ['Summarise https://example.com/a/page.html', ['https://example.com/a/page.html'], []],
    ['Run `grep POST access.log`', [], []],
    ['Show the output of `head -2 a.csv` and `tail -2 b.csv`', [], []],
    ['Run `SELECT * FROM a` on shop.db', ['shop.db'], []],
    ['Count e.g. the words, i.e. all 1.5 of them', [], []],
    ['Query shop.db for orders', ['shop.db'], []],
    ['No file here at all', [], []],
    ['Прочитай отчёт.txt', ['отчёт.txt'], []],
  ];
  test.each(cases)('%s', (text, inputs, outputs) => {
    expect(findNamedFiles(text)).toEqual({ inputs, outputs });
  });

  test('are bounded, however long the text is', () => {
    const text = `${'a.b'.repeat(100_000)} ${'x.log '.repeat(100_000)} ${'.'.repeat(100_000)}`;
    expect(findNamedFiles(text).inputs.length).toBeLessThanOrEqual(50);
  });
});

describe('globs of a task kind', () => {
  test.each([
    ['*.log', 'examples/access.log', true],
    ['*.log', 'ACCESS.LOG', true],
    ['*.log', 'access.log.md', false],
    ['*.{csv,tsv}', './orders.tsv', true],
    ['data/**', 'data/a/b.txt', true],
    ['data/**', 'other/a.txt', false],
    ['https://**', 'https://example.com/x.csv', true],
    ['https://**', 'x.csv', false],
    ['*.csv', 'https://example.com/x.csv', false],
    ['*.log', '*.log', true],
    ['*.log', '../logs/access.log', true],
    ['*.log', '/var/access.log', true],
    ['access.{log,txt}', 'a/Access.TXT', true],
    ['https://example.com/*.csv', 'http://example.com/x.csv', true],
  ])('%s meets %s: %s', (glob, name, isMet) => {
    expect(matchesAny([glob], [name])).toBe(isMet);
  });
});

describe('names are masked before texts are compared', () => {
  test.each([
    ['Find errors in examples/access.log', 'Find errors in file.log'],
    ['Save it as slow-requests.md.', 'Save it as file.md.'],
    ['Read https://example.com/a.html, please', 'Read https web page please'],
    ['Run `npm test`, e.g. twice', 'Run `npm test`, e.g. twice'],
    ['Run the command `grep POST access.log`', 'Run the command `command`'],
    ['Count 1.5 of them', 'Count 1.5 of them'],
  ])('%s', (text, masked) => {
    expect(maskNames(text)).toBe(masked);
  });
});
