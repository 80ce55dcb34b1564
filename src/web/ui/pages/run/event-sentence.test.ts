import { expect, it } from 'vitest';
import { eventSentence } from './event-sentence.ts';

const at = '2026-11-24T00:00:00.000Z';

it('an event is a sentence, never its data', () => {
  const written = { type: 'file.written', at, path: 'rows.csv', bytes: 28, sha256: 'ab' };
  expect(eventSentence(written)).toBe('wrote rows.csv, 28 B');
  expect(
    eventSentence({
      type: 'model.requested',
      at,
      purpose: 'plan',
      model: 'offline/offline',
    } as never),
  ).toBe('plan: by rules, without a model');
  expect(eventSentence({ type: 'run.dreamt', at, of: 'sheep' } as never)).toBe('run.dreamt');
});
