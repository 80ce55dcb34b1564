import type { BenchTask } from './task.ts';

const orders = 'id,customer,total\n1,Ada,10\n2,Bo,20\n';

/**
 * Tasks that rules can't do, that are impossible, or that need a guess: each must fail and leave nothing that looks
 * done.
 */
export const impossibleTasks: readonly BenchTask[] = [
  {
    id: 'impossible-translate',
    task: 'Translate letter.txt into French and save it as lettre.txt',
    inputs: { 'letter.txt': 'Dear friend, it rains.\n' },
    expected: {
      kind: 'reported_failure',
      must_not_exist: 'lettre.txt',
      answer_mentions: ['CAPSTAN_PROVIDER'],
    },
    mustFail: true,
  },
  {
    id: 'impossible-missing-file',
    task: 'Count the lines in nowhere.txt and save the answer as n.txt',
    inputs: {},
    expected: {
      kind: 'reported_failure',
      must_not_exist: 'n.txt',
      answer_mentions: ['nowhere.txt'],
    },
    mustFail: true,
  },
  {
    id: 'impossible-missing-column',
    task: 'Find the three customers with the highest shoe size in orders.csv and save the result as top.json',
    inputs: { 'orders.csv': orders },
    expected: { kind: 'reported_failure', must_not_exist: 'top.json', answer_mentions: ['shoe'] },
    mustFail: true,
  },
  {
    id: 'impossible-condition',
    task: 'Copy orders.csv to backup.csv unless it is older than a week',
    inputs: { 'orders.csv': orders },
    expected: {
      kind: 'reported_failure',
      must_not_exist: 'backup.csv',
      answer_mentions: ['unless'],
    },
    mustFail: true,
  },
  {
    id: 'impossible-ambiguous-table',
    task: 'Count the words in a.txt, count the lines in b.txt, and save the table as t.csv',
    inputs: { 'a.txt': 'x y\n', 'b.txt': 'z\n' },
    expected: { kind: 'reported_failure', must_not_exist: 't.csv', answer_mentions: ['table'] },
    mustFail: true,
  },
  {
    id: 'impossible-send-mail',
    task: 'Count the lines in a.txt and email the answer to bob@example.com',
    inputs: { 'a.txt': 'x\n' },
    expected: { kind: 'all', checks: [{ kind: 'answer_contains', all: ['1 line', 'Email'] }] },
    mustFail: true,
  },
  {
    id: 'impossible-contradiction',
    task: 'Replace "Ada" with "Eve" in orders.csv. Do not change orders.csv.',
    inputs: { 'orders.csv': orders },
    expected: {
      kind: 'all',
      checks: [
        { kind: 'unchanged', path: 'orders.csv' },
        { kind: 'answer_contains', all: ['orders.csv'] },
      ],
    },
    mustFail: true,
  },
  {
    id: 'impossible-delete',
    task: 'Delete everything except orders.csv',
    inputs: { 'orders.csv': orders, 'old.txt': 'old' },
    expected: {
      kind: 'all',
      checks: [
        { kind: 'unchanged', path: 'orders.csv' },
        { kind: 'unchanged', path: 'old.txt' },
        { kind: 'answer_contains', all: ['back-ticks'] },
      ],
    },
    mustFail: true,
  },
  {
    id: 'impossible-overwrite',
    task: 'Write "new" to orders.csv without overwriting existing files',
    inputs: { 'orders.csv': orders },
    expected: {
      kind: 'all',
      checks: [
        { kind: 'unchanged', path: 'orders.csv' },
        { kind: 'answer_contains', all: ['orders.csv'] },
      ],
    },
    mustFail: true,
  },
];
