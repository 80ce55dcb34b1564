import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type CapstanEvent, CapstanEvent as EventSchema } from '../contract/event.ts';
import { noSecrets } from '../policy/secrets/redact.ts';
import { createEventBus } from './bus.ts';
import { createEventLog, eventFile, jsonlSink } from './event-log.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'capstan-events-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const notice = (run_id: string, text: string) => ({ type: 'run.noticed', run_id, text }) as const;

it('calls every listener, in order, even if one of them fails', () => {
  let calls = 0;
  const bus = createEventBus(() => new Date(0), { clean: noSecrets.redact });
  const heard: CapstanEvent[] = [];
  bus.listen(() => {
    calls += 1;
    throw new Error('deaf');
  });
  const stop = bus.listen((event) => heard.push(event));
  bus.emit(notice('r', 'one'));
  bus.emit(notice('r', 'two'));
  stop();
  bus.emit(notice('r', 'three'));
  expect(heard).toEqual([
    { ...notice('r', 'one'), at: '1970-01-01T00:00:00.000Z' },
    { ...notice('r', 'two'), at: '1970-01-01T00:00:00.000Z' },
  ]);
  expect(calls).toBe(3);
});

it('writes the events of each run into its own file, one valid event per line', () => {
  const bus = createEventBus(() => new Date(), { clean: noSecrets.redact });
  const log = createEventLog([jsonlSink(dir)]);
  bus.listen(log.add);
  bus.emit(notice('a', 'one'));
  bus.emit(notice('b', 'two\nlines'));
  bus.emit(notice('a', 'three'));
  log.flush();
  const texts = (run: string) =>
    readFileSync(eventFile(dir, run), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => (EventSchema.parse(JSON.parse(line)) as { text: string }).text);
  expect(texts('a')).toEqual(['one', 'three']);
  expect(texts('b')).toEqual(['two\nlines']);
  expect(statSync(eventFile(dir, 'a')).mode & 0o777).toBe(0o600);
});
