import { expect, it } from 'vitest';
import type { CapstanEvent } from '../../../contract/event.ts';
import { createStyle } from '../../text/style.ts';
import { createCallLines } from './call-lines.ts';

const event = (fields: object): CapstanEvent =>
  ({ subtask_id: 's', intent_id: 'i', ...fields }) as CapstanEvent;
const call = (target: string, fields: object = {}) =>
  event({ type: 'tool.answered', tool: 'file_io.read', target, ok: true, ...fields });
const failed = Array.from({ length: 32 }, (_, at) => call(`${at}.md`, { ok: false }));
const end = event({ type: 'subtask.ended', status: 'completed' });

function linesOf(events: readonly CapstanEvent[]): readonly string[] {
  const lines: string[] = [];
  const onEvent = createCallLines({
    say: (_id, _word, text) => lines.push(text),
    line: (text) => lines.push(text),
    style: createStyle({}, false),
  });
  for (const one of [event({ type: 'provider.opened', models: ['small'] }), ...events])
    onEvent(one);
  return lines;
}

it('shows a change that no question showed after 30 calls, and counts those over 30', () => {
  const diff = '--- a.csv\n+++ a.csv\n@@ -0,0 +1,1 @@\n+x\n';
  const written = event({ type: 'file.written', path: 'a.csv', diff });
  const edits = Array.from({ length: 32 }, () => [
    call('a.csv', { tool: 'file_io.edit' }),
    written,
  ]);
  const lines = linesOf([...failed, ...edits.flat(), end]);
  expect(lines.slice(30, 33)).toEqual(['change a.csv', '  │ @@ -0,0 +1,1 @@', '  │ +x']);
  expect(lines.filter((line) => line === '  │ +x')).toHaveLength(30);
  expect(lines.at(-1)).toBe('2 more changes that no question showed');
});

it('has a line for each file that is written, also a new one, but not again for one that a question showed', () => {
  const write = (path: string, intent_id: string) => [
    call(path, { tool: 'file_io.write', intent_id }),
    event({ type: 'file.written', path, intent_id, diff: '--- /dev/null\n+++ x\n+x\n' }),
  ];
  const asked = event({ type: 'approval.decided', by: 'terminal', intent_id: 'i3' });
  const events = [
    write('1.txt', 'i1'),
    write('2.txt', 'i2'),
    asked,
    write('3.txt', 'i3'),
    call('1.txt'),
  ];
  const lines = linesOf([...events.flat(), end]);
  expect(lines).toEqual(['write 1.txt', 'write 2.txt', 'read 1.txt']);
});

it('shows what a failed command printed last, escaped', () => {
  const shell = { tool: 'terminal.write', exit_code: 3, output_end: ['a\u001b[2J', 'b'] };
  const lines = ['run npm test: exit code 3', '  │ a\\u001b[2J', '  │ b'];
  expect(linesOf([call('npm test', shell), end])).toEqual(lines);
});

it('names only the tool of a call with invalid arguments', () => {
  const call = { type: 'tool.answered', tool: 'terminal', target: '', ok: false };
  const message = `There is no field "reason". ${'x'.repeat(1_000)}`;
  const [line = ''] = linesOf([event({ ...call, message })]);
  expect(line).toMatch(/^terminal: There is no field "reason"\. x+…$/);
  expect(line.length).toBeLessThan(320);
});

it('counts the calls without a line, but not the last one, which has one', () => {
  expect(linesOf([...failed, end]).slice(30)).toEqual(['1 more call', 'read 31.md: failed']);
  expect(linesOf([...failed, call('a.md'), end]).slice(30)).toEqual(['2 more calls', 'read a.md']);
});
