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
  expect(lines).toHaveLength(31);
  expect(lines.at(-1)).toBe('  … 10 more calls');
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
