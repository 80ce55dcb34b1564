import { expect, it } from 'vitest';
import type { Capstan } from '../../../app/open-capstan.ts';
import type { CapstanEvent } from '../../../contract/event.ts';
import { createStyle } from '../../text/style.ts';
import { unicodeSymbols } from '../terminal/symbols.ts';
import { openRunPart } from './open-run-part.ts';

const frame = {
  ...{ columns: 80, rows: 23, width: 79, nowMs: 0, isReduced: false },
  ...{ symbols: unicodeSymbols, style: createStyle({}, false) },
};

it.each([
  ['the budget', { limit_usd: 1 }, '  small · at most $1.00 · run r', false],
  ['that a local model is free', { limit_usd: null }, '  small · run r', true],
])('shows %s', (_what, fields, first, isFree) => {
  const printed: string[] = [];
  const part = openRunPart(
    { id: 'r' },
    {
      capstan: {} as Capstan,
      frame: () => frame,
      print: (text) => void printed.push(text),
      keepFolded: () => undefined,
      redraw: () => undefined,
    },
  );
  const opened = { type: 'provider.opened', at: '', run_id: 'r', provider: 'openai', origin: null };
  part.onEvent({ ...opened, models: ['small'], ...fields } as CapstanEvent);
  expect(printed).toEqual([first]);
  const live = part.draw(frame, { isQuestion: false }).join('\n');
  expect(live.includes('free (local model)')).toBe(isFree);
});
