import { expect, it } from 'vitest';
import type { Capstan } from '../../../app/open-capstan.ts';
import type { RunDocument } from '../../../app/runs/show/run-document.ts';
import type { CapstanEvent } from '../../../contract/event.ts';
import { createStyle } from '../../text/style.ts';
import { unicodeSymbols } from '../terminal/symbols.ts';
import { openRunPart } from './open-run-part.ts';

const frame = {
  ...{ columns: 80, rows: 23, width: 79, nowMs: 0, isReduced: false },
  ...{ symbols: unicodeSymbols, style: createStyle({}, false) },
};

function openPart() {
  const printed: string[] = [];
  const part = openRunPart(
    { id: 'r' },
    {
      capstan: { runs: { diff: async () => undefined } } as unknown as Capstan,
      frame: () => frame,
      print: (text) => void printed.push(text),
      keepFolded: () => undefined,
      redraw: () => undefined,
    },
  );
  return { part, printed };
}

it.each([
  ['the budget', { limit_usd: 1 }, '  small · at most $1.00 · run r', false],
  ['that a local model is free', { limit_usd: null }, '  small · run r', true],
])('shows %s', (_what, fields, first, isFree) => {
  const { part, printed } = openPart();
  const opened = { type: 'provider.opened', at: '', run_id: 'r', provider: 'openai', origin: null };
  part.onEvent({ ...opened, models: ['small'], ...fields } as CapstanEvent);
  expect(printed).toEqual([first]);
  const live = part.draw(frame, { isQuestion: false }).join('\n');
  expect(live.includes('free (local model)')).toBe(isFree);
});

it.each([
  ['keeps the last failure of the model when a person stops its retries', false, true],
  ['forgets a failure of the model after its next answer', true, false],
])('%s', async (_what, ok, isTold) => {
  const { part, printed } = openPart();
  const about = { at: '2026-01-01T00:00:00Z', run_id: 'r', intent_id: 'i', subtask_id: 's' };
  const problem = 'openai: http://localhost answered (500): no memory';
  part.onEvent({ type: 'model.delayed', ...about, problem, wait_ms: 9_000 } as CapstanEvent);
  part.onEvent({ type: 'model.answered', ...about, ok, cost_usd: 0 } as CapstanEvent);
  const parked = { status: 'parked', reason: 'interrupted', provider: 'openai', answer: null };
  const empty = { subtasks: [], approvals: [], denials: [], next: [], error: null };
  const usage = { input_tokens: 0, output_tokens: 0 };
  const rest = { run_id: 'r', duration_ms: 14_000, cost_usd: 0, usage };
  await part.finish({ ...parked, ...empty, ...rest } as unknown as RunDocument);
  const text = printed.join('\n');
  expect(text).toMatch(/Parked after 14 s .* interrupted/);
  expect(text.includes(`\n  ${problem}`)).toBe(isTold);
});
