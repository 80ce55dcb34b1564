import { describe, expect, it } from 'vitest';
import type { RunSummary } from '../../app/runs/show/run-summary.ts';
import { unicodeSymbols } from '../menu/terminal/symbols.ts';
import { textWidth } from '../menu/terminal/text-width.ts';
import { createStyle } from '../text/style.ts';
import { runColumns, runTitle } from './columns/run-columns.ts';
import { listLines } from './list-lines.ts';
import { listTable } from './list-text.ts';

const now = new Date('2026-11-23T12:00:00.000Z');
const home = '/home/ann';

const run = (end: string, changes: Partial<RunSummary>): RunSummary =>
  ({
    id: `01990000-0000-7000-8000-0000${end}`,
    status: 'completed',
    reason: null,
    task: 'x',
    workspace: '/home/ann/shop',
    createdAt: now.toISOString(),
    costUsd: 0,
    openQuestions: 0,
    ...changes,
  }) as RunSummary;

const runs = [
  run('3f9c0a12', {
    status: 'running',
    costUsd: 0.17,
    task: 'Find out why the cart tests fail, fix it, and note the fix in CHANGELOG.md',
  }),
  run('51d0e3aa', {
    status: 'parked',
    reason: 'approval',
    openQuestions: 1,
    createdAt: '2026-11-23T11:51:00.000Z',
    task: 'Summarise docs/ in one page',
  }),
  run('0d6b7f3e', {
    status: 'failed',
    reason: 'denied',
    costUsd: 0.06,
    createdAt: '2026-11-21T11:00:00.000Z',
    task: 'Publish 漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字 \u202e the package now',
  }),
];

const linesAt = (columns: number, hasFolder = false) =>
  listLines(runs, runColumns(hasFolder), {
    width: Math.min(columns - 1, 100),
    symbols: unicodeSymbols,
    style: createStyle({ NO_COLOR: '1' }, true),
    now,
    spinner: '⠹',
    home,
  }).flat();

describe('a list of runs', () => {
  it('fits a row into a line at 80 columns, and cuts only its text', () => {
    expect(linesAt(80)).toEqual([
      '⠹ 3f9c0a12  now     $0.17  Find out why the cart tests fail, fix it, and note …',
      '‖ 51d0e3aa  9 min   $0.00  Summarise docs/ in one page · waits for you',
      '✗ 0d6b7f3e  21 Nov  $0.06  Publish 漢字漢字漢字漢字漢字漢字漢字漢字漢… · denied',
    ]);
  });

  it('takes two lines for a row below 60 columns', () => {
    expect(linesAt(50).slice(2, 4)).toEqual([
      '‖ 51d0e3aa  9 min   $0.00',
      '  Summarise docs/ in one page · waits for you',
    ]);
  });

  it('drops the folder first if there is too little room', () => {
    expect(linesAt(60, true)[1]).toBe(
      '‖ 51d0e3aa  9 min   $0.00  Summarise docs/… · waits for you',
    );
    expect(linesAt(120, true)[1]).toContain('  ~/shop  Summarise docs/ in one page');
  });

  it.each([30, 40, 50, 60, 80, 120])('is never wider than %i columns', (columns) => {
    for (const line of linesAt(columns, true)) expect(textWidth(line)).toBeLessThan(columns);
  });

  it('has tabs, a header line and whole escaped values in a pipe', () => {
    const [head, first, , last] = listTable(runs, runColumns(true)).split('\n');
    expect(head).toBe('run\tbegan\tstatus\treason\tcost\tworkspace\ttask');
    expect(first).toContain('\trunning\t\t$0.17\t/home/ann/shop\tFind out why the cart tests fail');
    expect(last).toMatch(/\\u202e the package now$/);
  });

  it('cuts a task of more than 1,000 characters in a pipe', () => {
    const long = run('3f9c0a13', { task: 'word '.repeat(5_000) });
    const [, line = ''] = listTable([long], runColumns(true)).split('\n');
    expect(line).toMatch(/ word …$/);
    expect(line.length).toBeLessThan(1_200);
    const faces = run('3f9c0a14', { task: `a${'😀'.repeat(900)}` });
    expect(listTable([faces], runColumns(true))).toMatch(/😀…\n$/);
  });

  it('has a title with its folder, its number of runs and the cost of a week', () => {
    const frame = { now, symbols: unicodeSymbols, home };
    expect(runTitle(runs, '/home/ann/shop', frame)).toBe('Runs in ~/shop · 3 · $0.23 this week');
  });
});
