import type { BenchTask } from './task.ts';

/** Commands and code that run as written. */
export const commandTasks: readonly BenchTask[] = [
  {
    id: 'commands-run-and-save',
    task: 'Run `sort -n numbers.txt` and save the output to sorted.txt',
    inputs: { 'numbers.txt': '10\n9\n100\n' },
    expected: { kind: 'text_is', path: 'sorted.txt', value: '9\n10\n100\n' },
  },
  {
    id: 'commands-python-fence',
    task: 'Run this Python code:\n```python\nprint(sum(i * i for i in range(1, 11)))\n```\nand write the output to sum.txt',
    inputs: {},
    expected: { kind: 'text_is', path: 'sum.txt', value: '385\n' },
  },
  {
    id: 'commands-one-fails',
    task: 'Run `ls no-such-folder` and save the output to listing.txt',
    inputs: {},
    expected: {
      kind: 'reported_failure',
      must_not_exist: 'listing.txt',
      answer_mentions: ['exit code 2', 'no-such-folder'],
    },
    mustFail: true,
  },
  {
    id: 'commands-in-order',
    task: '- Run `printf "a\\nb\\n" > made.txt`\n- Count the lines in made.txt',
    inputs: {},
    expected: {
      kind: 'all',
      checks: [
        { kind: 'text_is', path: 'made.txt', value: 'a\nb\n' },
        { kind: 'answer_contains', all: ['2 lines'] },
      ],
    },
  },
];
