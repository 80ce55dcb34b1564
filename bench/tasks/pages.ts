import type { BenchTask } from './task.ts';

const page = {
  type: 'text/html',
  body: '<html><head><title>Opening hours</title></head><body><nav>Home</nav><h1>Opening hours</h1><p>We open at 9.</p><p>On Sunday we are closed.</p></body></html>',
};

/** Addresses on a loopback server. */
export const pageTasks: readonly BenchTask[] = [
  {
    id: 'pages-fetch-and-save',
    task: 'Fetch @/hours and save it as hours.txt',
    inputs: {},
    pages: { '/hours': page },
    expected: {
      kind: 'text_contains',
      path: 'hours.txt',
      all: ['We open at 9.', 'On Sunday we are closed.'],
    },
  },
  {
    id: 'pages-title',
    task: 'What is the title of @/hours? Write the answer to title.txt.',
    inputs: {},
    pages: { '/hours': page },
    expected: { kind: 'text_contains', path: 'title.txt', all: ['Opening hours'] },
  },
  {
    id: 'pages-missing',
    task: 'Fetch @/gone and save it as gone.txt',
    inputs: {},
    pages: {},
    expected: { kind: 'reported_failure', must_not_exist: 'gone.txt', answer_mentions: ['404'] },
    mustFail: true,
  },
];
