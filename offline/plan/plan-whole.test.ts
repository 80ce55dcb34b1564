import { expect, it } from 'vitest';
import { planWhole } from './plan-task.ts';

it.each([
  ['Delete a.txt and translate b.txt into French', 'Translate b.txt into French'],
  ['Add the line "x" to todo.txt and email it to Ann', 'Email it to Ann'],
])('%s: names the step that is not understood', (task, step) => {
  expect(planWhole(task).problem).toContain(`"${step}`);
});

it.each([
  'Append "x" to my notes and count the lines in the app log',
  'Count the lines in a.txt and save the result as n.txt',
  'Count the lines in a.txt and email the answer to bob@example.com',
  'Show the orders from DE in orders.csv and save them as de.csv',
  'Add the line "x" to todo.txt and commit it with the message "Add x"',
])('%s: has no problem', (task) => {
  expect(planWhole(task).problem).toBeUndefined();
});

it('lets steps with effects wait for questions, which may turn out not to be understood', () => {
  const { steps } = planWhole('Delete a.txt and count the orders per country in orders.csv');
  expect(steps.map(({ depends_on }) => depends_on)).toEqual([['step_2'], []]);
});

it('lets no step wait for a later one if a figure without a verb comes first', () => {
  const { steps } = planWhole('amount * quantity per country in orders.csv, compare with total');
  expect(steps.map(({ depends_on }) => depends_on)).toEqual([[], []]);
});

it.each(['Delete *.tmp and list the files in docs/', 'Delete b.csv and count the lines in a.txt'])(
  '%s: keeps the order of what may be about the same files',
  (task) => {
    expect(planWhole(task).steps[0]?.depends_on).toEqual([]);
  },
);

it.each<[task: string, steps: string[]]>([
  ['turn a.tsv into JSON, call it a.json', ['Turn a.tsv into JSON as a.json']],
  [
    'Copy a.txt to b.txt and in the copy replace "x" with "y, z"',
    ['Copy a.txt to b.txt', 'Replace "x" with "y, z" in b.txt'],
  ],
  [
    'Count the lines in a.txt. Save that as n.txt. Create a folder out and move the file there.',
    ['Count the lines in a.txt.', 'Save that as n.txt.', 'Move n.txt into the folder out/.'],
  ],
  [
    'Save the orders of a.csv as b.csv, and move that file to c/b.csv',
    ['Save the orders of a.csv as b.csv', 'Move b.csv to c/b.csv'],
  ],
  ['make a copy of a.txt and call it b.txt', ['Make a copy of a.txt called b.txt']],
  [
    'How many calls and how many minutes per show in a.csv',
    ['How many calls and how many minutes per show in a.csv'],
  ],
  [
    'How many orders were cancelled and how many orders per customer in a.csv',
    ['How many orders were cancelled', 'How many orders per customer in a.csv'],
  ],
  ['create a branch x and switch to it', ['Switch to a new branch x']],
])('%s', (task, steps) => {
  expect(planWhole(task).steps.map(({ description }) => description)).toEqual(steps);
});
