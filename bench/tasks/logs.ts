import { pickFrom, seeded } from './seeded.ts';
import type { BenchTask } from './task.ts';

const random = seeded(7_2026);
const endpoints = ['/api/orders', '/api/users', '/login', '/search'];
const requests = Array.from({ length: 600 }, (_, at) => ({
  ip: `10.0.0.${1 + Math.floor(random() * 9)}`,
  path: pickFrom(endpoints, random),
  status: pickFrom([200, 200, 200, 304, 404, 500, 503], random),
  bytes: Math.floor(random() * 50_000),
  second: at,
}));
const log = requests
  .map(({ ip, path, status, bytes, second }) => {
    const time = new Date(Date.UTC(2026, 2, 3, 4, 0, second)).toISOString();
    return `${ip} - - [03/Mar/2026:${time.slice(11, 19)} +0000] "GET ${path} HTTP/1.1" ${status} ${bytes} "-" "bench/1.0"\n`;
  })
  .join('');

const by = (key: 'ip' | 'path', keep: (status: number) => boolean) => {
  const counts = new Map<string, number>();
  for (const request of requests) {
    if (keep(request.status)) counts.set(request[key], (counts.get(request[key]) ?? 0) + 1);
  }
  return [...counts].sort(([a, one], [b, two]) => two - one || (a < b ? -1 : 1));
};

/** An access log of six hundred requests from a seed. */
export const logTasks: readonly BenchTask[] = [
  {
    id: 'logs-top-clients',
    task: 'web.log is an Apache combined log. Write top.json: the three client addresses with the most requests as a list of {"ip","requests","server_errors"} (server_errors = number of their requests answered with 500), most requests first, ties by address as text.',
    inputs: { 'web.log': log },
    expected: {
      kind: 'json_file',
      path: 'top.json',
      value: by('ip', () => true)
        .slice(0, 3)
        .map(([ip, count]) => ({
          ip,
          requests: count,
          server_errors: requests.filter((request) => request.ip === ip && request.status === 500)
            .length,
        })),
    },
  },
  {
    id: 'logs-requests-per-path',
    task: 'Count the requests per path in web.log and save a report as report.md',
    inputs: { 'web.log': log },
    expected: {
      kind: 'text_contains',
      path: 'report.md',
      all: by('path', () => true).flatMap(([path, count]) => [path, String(count)]),
    },
  },
  {
    id: 'logs-lines-with-text',
    task: 'Count the lines in web.log that contain "/login" and write the count to logins.txt',
    inputs: { 'web.log': log },
    expected: {
      kind: 'text_is',
      path: 'logins.txt',
      value: `${requests.filter(({ path }) => path === '/login').length}\n`,
    },
  },
  {
    id: 'logs-no-durations',
    task: 'Find the ten slowest requests in web.log and save a report as slow.md',
    inputs: { 'web.log': log },
    expected: {
      kind: 'reported_failure',
      must_not_exist: 'slow.md',
      answer_mentions: ['duration'],
    },
    mustFail: true,
  },
];
