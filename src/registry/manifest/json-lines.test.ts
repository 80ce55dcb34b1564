import { expect, test } from 'vitest';
import { jsonLines } from './json-lines.ts';

const text = `{
  "id": "a\\"b",
  "grants": {
    "tools": { "file_io": {} }
  },
  "kinds": [
    { "name": "x" },
    { "name": "y",
      "mode": 1 }
  ]
}`;

test.each([
  [[], 1],
  [['id'], 2],
  [['grants', 'tools', 'file_io'], 4],
  [['kinds', 1, 'mode'], 9],
  [['kinds', 0], 7],
  [['kinds', 1, 'absent'], 8],
  [['absent'], 1],
])('%j is in line %i', (path, line) => {
  expect(jsonLines(text)(path)).toBe(line);
});

test('deeply nested values are reported in the first line', () => {
  const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
  expect(jsonLines(deep)([0])).toBe(1);
});
