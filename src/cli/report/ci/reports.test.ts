import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ioOf } from '../../../../test/programs/recorded-io.ts';
import type { CapstanEvent } from '../../../contract/event.ts';
import { brokenRunDocument } from '../../run/surfaces/print-run.ts';
import type { ClosedRun } from '../closing-lines.ts';
import { openReports } from './reports.ts';

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'capstan-ci-reports-'));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const { error: _error, ...plain } = brokenRunDocument(new Error('nobody knows'));
const run_id = '0199a1b2-0000-7000-8000-00003f9c0a12';
const subtask: ClosedRun['subtasks'][number] = {
  ...{ id: 's1', phase: 'execution', description: 'Run the cart tests', depends_on: [] },
  ...{ capsule_id: 'command-runner', status: 'completed', reason: null, attempts: 1 },
  ...{ result: { text: '\n2 of 14 fail, both in total()\nmore' }, error: null },
};
const failing: ClosedRun['subtasks'][number] = {
  ...{ ...subtask, id: 's2', description: 'Fix the rounding', capsule_id: 'file-clerk' },
  ...{ status: 'failed', reason: 'denied', result: null },
  error: { code: 'INTENT_DENIED', message: 'It was denied.' },
};
const denied: ClosedRun = {
  ...{ ...plain, run_id, reason: 'denied', provider: 'anthropic', isolation: 'A' },
  ...{ duration_ms: 39_000, cost_usd: 0.17, subtasks: [subtask, failing] },
  denials: [
    {
      ...{ subtask_id: 's2', operation: 'file_io.edit', target: 'src/cart.js' },
      ...{ reason: 'denied', sentence: 'No.' },
    },
  ],
  approvals: [
    {
      id: 'a1',
      kind: 'tool',
      question: 'May it?',
      status: 'consumed',
      answer: 'deny',
      is_forced: false,
    },
  ],
};
const events: readonly CapstanEvent[] = [
  {
    ...{ type: 'provider.opened', at: '', run_id, provider: 'anthropic', limit_usd: 1 },
    ...{ models: ['claude-sonnet-5'], origin: null },
  },
  {
    ...{ type: 'subtask.ended', at: '', run_id, subtask_id: 's1', capsule_id: 'command-runner' },
    ...{ status: 'completed', reason: null, message: null, duration_ms: 4_100 },
  },
];
const unchanged = { files: [], not_undoable: [], complete: true };

/** What a run leaves in GitHub Actions. */
function reported(
  document: ClosedRun,
  { junit, secret }: { junit?: string; secret?: string } = {},
) {
  const summary = join(cwd, 'summary.md');
  writeFileSync(summary, '');
  let commands = '';
  const environment = { GITHUB_STEP_SUMMARY: summary, ...(secret && { DEPLOY_TOKEN: secret }) };
  const workflow = (command: string) => {
    commands += command;
  };
  const io = ioOf({ environment, cwd }, { workflow });
  const reports = openReports(io, junit && join(cwd, junit));
  for (const event of events) reports.onEvent(event);
  reports.end(document, unchanged);
  reports.end(document, unchanged);
  return { commands, summary: readFileSync(summary, 'utf8'), errors: io.errors() };
}

const withWords = (words: string): ClosedRun => ({
  ...denied,
  denials: [],
  subtasks: [
    { ...subtask, description: words, result: words },
    { ...failing, description: words, error: { code: 'X', message: words } },
  ],
});

describe('in GitHub Actions', () => {
  it('a run leaves the summary of its step', () => {
    expect(reported(denied).summary.split('\n')).toEqual([
      '### ✗ Capstan: failed (denied) · 39 s · $0.17',
      '| | step | result | time | cost |',
      '|---|---|---|---|---|',
      '| ✓ | Run the cart tests | 2 of 14 fail, both in total() | 4.1 s | $0.00 |',
      '| ✗ | Fix the rounding | denied: change src/cart.js |  | $0.00 |',
      '',
      'Questions: 1, denied · Changes: nothing changed · Sandbox: A · Model: claude-sonnet-5',
      '',
      'Next, with `CAPSTAN_HOME` from this job: `capstan runs show 3f9c0a12`',
      '',
    ]);
  });

  it.each([
    '<img src=x onerror=alert(1)>',
    '[a](https://example.com) ![b](https://example.com/x.png)',
    'see https://example.com or www.example.com',
    '@octocat and #1 and GH-1',
    '`` ` ``` | a | b',
    'a | b \\| c',
    '*bold* _it_ ~~no~~ <!-- x -->',
    'a\nb\r| x |\u202e',
  ])('renders text of agents as text in the summary: %j', (words) => {
    const { summary } = reported(withWords(words));
    const rows = summary.split('\n').filter((line) => /^\| [✓✗]/.test(line));
    expect(rows).toHaveLength(2);
    for (const row of rows) {
      const outside = row.replace(/(`+) .*? \1(?!`)/g, '');
      expect(outside).not.toMatch(/[<>[\]@#*_~\\]|https?:|www\.|GH-/);
      expect(outside.match(/\|/g)).toHaveLength(6);
    }
  });

  it('each failed subtask is one error for any text', () => {
    const { commands } = reported(withWords('a,b:c%\r\n::set-env name=X::y'));
    expect(commands).toBe(
      '::error title=a%2Cb%3Ac%25\\u000d::a,b:c%25\\u000d%0A::set-env name=X::y\n',
    );
  });

  it('a secret of the environment is masked once, and short values are not', () => {
    expect(reported(denied, { secret: 'abcdefgh%12345678' }).commands).toContain(
      '::add-mask::abcdefgh%2512345678\n',
    );
    expect(reported(denied, { secret: 'short' }).commands).not.toContain('add-mask');
  });

  it('a full summary gets no more', () => {
    const long = Array.from({ length: 9_000 }, () => ({
      ...subtask,
      description: 'x'.repeat(200),
    }));
    expect(reported({ ...denied, subtasks: long }).summary).toBe('');
  });
});

describe('a JUnit report', () => {
  const reportOf = (document: ClosedRun): string => {
    expect(reported(document, { junit: 'report.xml' }).errors).toBe('');
    return readFileSync(join(cwd, 'report.xml'), 'utf8');
  };

  it('has one case per subtask', () => {
    const report = reportOf(denied);
    expect(report).toContain('tests="2" failures="1" errors="0" skipped="0" time="39.000"');
    expect(report).toContain(
      '<testcase name="s1: Run the cart tests" classname="command-runner" time="4.100"/>',
    );
    expect(report).toContain(
      '<failure type="denied" message="It was denied.">It was denied.</failure>',
    );
    expect(readdirSync(cwd).sort()).toEqual(['report.xml', 'summary.md']);
  });

  it('of a parked run has a case that says what it waits for', () => {
    const approvals = [
      {
        id: 'a1',
        kind: 'tool',
        question: 'May it?',
        status: 'pending',
        answer: null,
        is_forced: false,
      } as const,
    ];
    const waiting = { ...subtask, status: 'waiting_approval' as const, result: null };
    const state = { status: 'parked', reason: 'approval' } as const;
    const parked = { ...state, subtasks: [waiting], approvals };
    const report = reportOf({ ...plain, run_id, ...parked });
    expect(report).toContain('tests="2" failures="0" errors="1" skipped="1"');
    expect(report).toContain('<skipped message="waiting_approval"/>');
    expect(report).toMatch(
      /<error type="approval" [^>]*>The run is parked \(approval\)\.\nMay it\?</,
    );
  });

  it('of a run that could not start says why', () => {
    const report = reportOf(brokenRunDocument(new Error('no room')));
    expect(report).toContain('<error type="crashed" message="no room">no room</error>');
  });

  it('contains no character that XML does not allow', () => {
    const report = reportOf(withWords('a"<b>&\u0000\u001b\ud800\ufffe]]>\n'));
    const isAllowed = (character: string) => /[\t\n\u0020-\ud7ff\ue000-\ufffd]/.test(character);
    expect([...report].filter((character) => !isAllowed(character))).toEqual([]);
    expect(report).toContain('a&quot;&lt;b&gt;&amp;\\u0000\\u001b');
  });

  it("that can't be written is reported and changes nothing else", () => {
    const { errors, summary } = reported(denied, { junit: 'missing/report.xml' });
    expect(errors).toContain("report.xml can't be written");
    expect(summary).toContain('### ✗');
  });
});
