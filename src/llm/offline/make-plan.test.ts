import { expect, it } from 'vitest';
import { makePlan } from './make-plan.ts';

type Status = 'completed' | 'failed';

const followUp = (task: string, status: Status, files: string[]) =>
  makePlan({
    ...{ task: 'And count its lines', phase: 'execution', found: [], max_subtasks: 20 },
    conversation: { turns: [{ task, status, files }] },
  });

it.each<[status: Status, files: string[], message: string]>([
  [
    'completed',
    ['b.txt'],
    'It continues "Rename a.txt to b.txt", which changed files and is not done again. Name the file that is meant.',
  ],
  [
    'failed',
    ['b.txt'],
    'It continues "Rename a.txt to b.txt", which changed files and is not done again. Name the file that is meant.',
  ],
  [
    'failed',
    [],
    'It continues "Rename a.txt to b.txt", which did not complete and is not done again. Write the whole task.',
  ],
  [
    'completed',
    [],
    'It continues "Rename a.txt to b.txt", which is not done again. Name the file that is meant.',
  ],
])(
  'a follow-up of a %s task that wrote %j is refused with one advice',
  (status, files, message) => {
    expect(() => followUp('Rename a.txt to b.txt', status, files)).toThrow(
      expect.objectContaining({ message }),
    );
  },
);

it('continues the last completed answer after a follow-up that failed', () => {
  const turns = [
    { task: 'Total amount per country in orders.csv', status: 'completed' as const, files: [] },
    { task: 'And only for the blue ones', status: 'failed' as const, files: [] },
  ];
  const { execution } = makePlan({
    ...{ task: 'save it as de.json', phase: 'execution', found: [], max_subtasks: 20 },
    conversation: { turns },
  });
  expect(execution.map(({ description }) => description)).toEqual([
    'Total amount per country in orders.csv.',
    'Save it as de.json',
  ]);
});
