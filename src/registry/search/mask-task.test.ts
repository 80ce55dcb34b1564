import { expect, test } from 'vitest';
import { maskTask } from './mask-task.ts';

test.each([
  [
    'Send the message "The cat is hungry" to the satellite',
    'Send the message to the satellite',
    'a value is left out',
  ],
  [
    "Convert the title 'Berlin' from text to “capitals” in sheet «Тест»",
    'Convert the title from text to in sheet',
    'whatever its quotes are',
  ],
  [
    'Rotate the image "photo.jpg" by 18 degrees',
    'Rotate the image "file.jpg" by 18 degrees',
    'a file tells what it is',
  ],
  [
    'Read the headings of "https://example.com/a"',
    'Read the headings of "https web page"',
    'an address too',
  ],
  [
    'What is the "Immigration Act"?',
    'What is the "Immigration Act"?',
    'a task that says nothing else keeps it',
  ],
  [
    "Compare the users' orders with the shops' stock",
    "Compare the users' orders with the shops' stock",
    'an apostrophe is no quote',
  ],
  ['Run `git rebase` twice, please', 'Run `git rebase` twice, please', 'code is no value'],
])('%s → %s: %s', (task, masked) => {
  expect(maskTask(task)).toBe(masked);
});

test('handles long texts without a closing quote quickly', () => {
  const text = `group the words ${'"a '.repeat(20_001)}`;
  expect(maskTask(text)).toContain('group the words');
});
