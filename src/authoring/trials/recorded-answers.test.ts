import { expect, it } from 'vitest';
import type { Intent } from '../../contract/wire/protocol.ts';
import {
  createRecordedAnswers,
  keysOf,
  type RecordedAnswer,
  withoutRoots,
  withRoot,
} from './recorded-answers.ts';

const chat = (system: string, tool: string): Intent => ({
  type: 'api_call_intent',
  provider: '',
  endpoint: '',
  reason: '',
  request: {
    kind: 'chat',
    hint: 'balanced',
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: 'Count them.' },
      { role: 'tool', tool_call_id: 'c1', content: tool },
    ],
  },
});

const answerTo = (intent: Intent, text: string): RecordedAnswer => ({
  ...keysOf(intent, ['/one']),
  name: 'chat',
  tier: 0,
  reply: { type: 'api_call_decision', approved: true, note: text },
  costMicroUsd: 1,
  question: null,
});

it('replays an answer once to the same request, in any workspace and for any duration of a command', () => {
  const before = createRecordedAnswers([
    answerTo(chat('s', '{"cwd":"/one/a","duration_ms":12}'), 'first'),
  ]);
  const again = chat('s', '{"cwd":"/tmp/two/a","duration_ms":7}');
  expect(before.take(again, ['/tmp/two'], false)).toMatchObject({ how: 'same' });
  expect(before.take(again, ['/tmp/two'], true)).toBeUndefined();
});

it('replays an answer of another prompt only if that is acceptable, and marks it', () => {
  const before = createRecordedAnswers([answerTo(chat('old', 'x'), 'first')]);
  const asked = chat('new', 'y');
  expect(before.take(asked, ['/two'], false)).toBeUndefined();
  expect(before.take(asked, ['/two'], true)).toMatchObject({ how: 'reworded' });
});

it('replaces the workspace in a record, and puts another in', () => {
  const kept = withoutRoots({ path: '/one/a "b"', list: ['/one'] }, ['/one']);
  expect(JSON.stringify(kept)).not.toContain('/one');
  expect(withRoot(kept, '/t w')).toEqual({ path: '/t w/a "b"', list: ['/t w'] });
});
