import { expect, it } from 'vitest';
import { findWrittenFiles } from './named-files.ts';

it.each<[string, string[]]>([
  ['Extract all email addresses from notes.md into emails.txt', ['emails.txt']],
  ['Rename notes.md to protocol.md', ['protocol.md']],
  ['Save it as "sums 2024.txt"', ['sums 2024.txt']],
  ['Save the result to a new file called out.json.', ['out.json']],
  ['Save the lines of a.log in out.txt', ['out.txt']],
  ['Write top.json: the three clients of access.log', ['top.json']],
  ['Create a file named hello.txt with the text x', ['hello.txt']],
  ['Count the lines in a.txt', []],
  ['Write "save it as x.txt" to hello.txt', ['hello.txt']],
  ['Run `sort a.txt` and save it as b.txt', ['b.txt']],
  ['Run this:\n```python\nopen("x").write("saved as y.txt")\n```', []],
  ['Send it to https://example.com/a.html', []],
  ['Copy it to *.bak', []],
])('%s names as written %j', (text, expected) => {
  expect(findWrittenFiles(text)).toEqual(expected);
});
