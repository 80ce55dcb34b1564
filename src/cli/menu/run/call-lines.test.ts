import { expect, it } from 'vitest';
import type { CapstanEvent } from '../../../contract/event.ts';
import { createStyle } from '../../text/style.ts';
import { unicodeSymbols } from '../terminal/symbols.ts';
import { createCallLines } from './call-lines.ts';
import { reduceRun } from './reduce-run.ts';
import { emptyRun } from './run-model.ts';

const frame = {
  ...{ columns: 80, rows: 23, width: 79, nowMs: 0, isReduced: false },
  ...{ symbols: unicodeSymbols, style: createStyle({}, false) },
};
const event = (fields: object, seconds = 0): CapstanEvent =>
  ({
    at: new Date(seconds * 1_000).toISOString(),
    ...{ run_id: 'r', subtask_id: 's', capsule_id: 'c', intent_id: 'i', ...fields },
  }) as CapstanEvent;
const subtasks = [{ id: 's', description: 'Fix it', depends_on: [] }];
const plan = event({ type: 'plan.made', phase: 'execution', subtasks });
const asks = (reason: string) => event({ type: 'tool.requested', tool: 'file_io.read', reason });
const call = (target: string, fields: object = {}) =>
  event({ type: 'tool.answered', tool: 'file_io.read', target, ok: true, ...fields });
const end = event({ type: 'subtask.ended', status: 'completed' });

function linesOf(events: readonly CapstanEvent[], models = ['small']): readonly string[] {
  const draw = createCallLines();
  const model = reduceRun(emptyRun, plan);
  return [event({ type: 'provider.opened', models }), ...events].flatMap((one) =>
    draw(one, model, frame),
  );
}

it('shows the sentences of a model once, and a line for each call, not for a repeated one', () => {
  const shell = { tool: 'terminal.write' };
  expect(
    linesOf([
      ...[asks('I read\nboth.'), asks('I read\nboth.'), call('a.md'), call('b.md'), call('b.md')],
      ...[asks('Fix it'), call('npm test', { ...shell, exit_code: 1 })],
      ...[call('c.md', { ok: false, message: 'No file `c.md`.' }), end],
    ]),
  ).toEqual([
    '  I read both.',
    '  read a.md',
    '  read b.md',
    '  run npm test: exit code 1',
    '  read c.md: No file `c.md`.',
    '  … 1 more call',
  ]);
});

it('cuts a long command, never its result, and shows what a failed one printed last', () => {
  const target = `for f in src/*.js test/*.js; do node --check $f && echo checked $f; done; ${'x'.repeat(60)}`;
  const output_end = ['checked a', 'error: 3\u001b[2J problems'];
  const shell = { tool: 'terminal.write', exit_code: 3, output_end };
  expect(linesOf([call(target, shell)])).toEqual([
    '  run for f in src/*.js test/*.js; do node --check $f && echo che…: exit code 3',
    '    checked a',
    '    error: 3\\u001b[2J problems',
  ]);
  const message = `"${'/tmp/user'.repeat(3)}/notes.md" is outside the workspace (/tmp/user-1/shop).`;
  expect(
    linesOf([call('/tmp/user/notes.md', { ok: false, message })])
      .join(' ')
      .replace(/\s+/g, ' '),
  ).toContain('is outside the workspace (/tmp/user-1/shop).');
});

it('shows what a command that was stopped printed last', () => {
  const lines = Array.from({ length: 900 }, (_, at) => `${at + 1}\n`).join('');
  const message = `terminal was interrupted: the run was stopped. Its last output:\n${lines}`;
  expect(linesOf([call('seq 1 900', { tool: 'terminal.write', ok: false, message })])).toEqual([
    '  run seq 1 900: terminal was interrupted: the run was stopped. Its last',
    ...['  output:', '    898', '    899', '    900'],
  ]);
});

it('shows the last call of a step although it repeats another, and each exit code', () => {
  const test = call('npm test', { tool: 'terminal.read', exit_code: 0 });
  const allowed = event({ type: 'approval.asked' });
  expect(linesOf([call('a.md'), allowed, test, test, test, end])).toEqual([
    ...['  read a.md', '  run npm test: exit code 0'],
    ...['  … 1 more call', '  run npm test: exit code 0'],
  ]);
});

it('shows a call that was refused without a question', () => {
  const what = 'file_io.read /etc/passwd';
  const denied = event({ type: 'intent.denied', what, sentence: 'It is outside.' });
  expect(linesOf([denied])).toEqual(['✗ Denied: read /etc/passwd: It is outside.']);
  expect(linesOf([event({ type: 'approval.asked' }), denied])).toEqual([]);
  const sentence = `It is ${'far '.repeat(20)}outside.`;
  expect(linesOf([{ ...denied, sentence } as CapstanEvent]).at(-1)).toContain('outside.');
});

it('shows each change of a file of the person that no question showed, up to 20 lines', () => {
  const edit = (id: string) => call('a.csv', { tool: 'file_io.edit', intent_id: id });
  const written = (id: string, path: string, lines: number, from = path) => {
    const added = Array.from({ length: lines }, (_, at) => `+${at}\n`).join('');
    const diff = `Index: ${path}\n${'='.repeat(67)}\n--- ${from}\n+++ ${path}\n@@ -0,0 +1,${lines} @@\n${added}`;
    return event({ type: 'file.written', intent_id: id, path, diff });
  };
  const asked = event({ type: 'approval.asked', intent_id: '1' });
  const decided = event({ type: 'approval.decided', intent_id: '1', by: 'terminal' });
  expect(
    linesOf([
      ...[asked, decided, edit('1'), written('1', 'a.csv', 1)],
      ...[edit('2'), written('2', 'a.csv', 1), edit('3'), written('3', 'a.csv', 22)],
      ...[written('4', 'new.md', 1, '/dev/null'), written('5', 'new.md', 1), end],
    ]),
  ).toEqual([
    ...['  change a.csv', '   1 + 0', '  change a.csv'],
    ...Array.from({ length: 20 }, (_, at) => `  ${String(at + 1).padStart(2)} + ${at}`),
    '  … 2 more lines · /diff',
  ]);
});

it('shows a change that no question showed after 30 calls, and counts those over 30', () => {
  const diff = '--- a.csv\n+++ a.csv\n@@ -0,0 +1,1 @@\n+x\n';
  const written = event({ type: 'file.written', path: 'a.csv', diff });
  const calls = Array.from({ length: 40 }, (_, index) => call(`${index}.md`));
  const edits = Array.from({ length: 32 }, () => [
    call('a.csv', { tool: 'file_io.edit' }),
    written,
  ]);
  const lines = linesOf([...calls, ...edits.flat(), end]);
  expect(lines.slice(30, 32)).toEqual(['  change a.csv', '   1 + x']);
  expect(lines.filter((line) => line === '   1 + x')).toHaveLength(30);
  expect(lines.at(-1)).toBe('  … 2 more changes that no question showed · /diff');
});

it('shows which lines of a file were read', () => {
  expect(
    linesOf([
      call('a.md'),
      call('a.md', { lines: '200-400' }),
      call('a.md', { lines: 'from -20' }),
    ]),
  ).toEqual(['  read a.md', '  read a.md 200-400', '  read a.md from -20']);
});

it('shows at most 30 calls of a step, and none without a model or after a question', () => {
  const calls = Array.from({ length: 40 }, (_, index) => call(`${index}.md`));
  const lines = linesOf([...calls, end]);
  expect(lines).toHaveLength(32);
  expect(lines.slice(-2)).toEqual(['  … 9 more calls', '  read 39.md']);
  expect(linesOf([...calls, end], [])).toEqual([]);
  expect(linesOf([event({ type: 'approval.asked' }), call('a.md')])).toEqual([]);
});

it('the time in which a run only waits for a person is counted', () => {
  const model = [
    ...[plan, event({ type: 'subtask.started' }, 1), event({ type: 'approval.asked' }, 2)],
    ...[event({ type: 'approval.decided' }, 62), end],
  ].reduce(reduceRun, emptyRun);
  expect(model.waitedMs).toBe(60_000);
  const parked = [
    ...[plan, event({ type: 'subtask.started' }, 1), event({ type: 'approval.asked' }, 2)],
    ...[event({ type: 'run.ended' }, 12), event({ type: 'run.resumed' }, 36_000)],
  ].reduce(reduceRun, emptyRun);
  expect(parked.waitedMs).toBe(10_000);
  expect(parked.lastMs - parked.startedMs - parked.waitedMs).toBe(0);
});
