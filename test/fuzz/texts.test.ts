import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { failedWith } from '../../src/contract/errors.ts';
import { LineSplitter } from '../../src/platform/text/lines.ts';
import { noSecrets } from '../../src/policy/secrets/redact.ts';
import { renderTemplate } from '../../src/registry/overlay/template.ts';
import { parseCapsuleLine } from '../../src/runtime/parse-message.ts';
import { FUZZ_TIMEOUT_MS, fuzz } from './fuzz.ts';

const hostileKey = fc.constantFrom(
  ...['type', 'id', 'tool', 'args', 'request', 'kind', 'messages', 'role', 'content', 'result'],
  ...['__proto__', 'constructor', 'prototype', 'toString', 'status', 'text', 'protocol'],
);
const hostileValue = fc.constantFrom<unknown>(
  ...['tool_call_intent', 'api_call_intent', 'agent_response', 'progress', 'chat', 'http', 'user'],
  ...['tool_call_result', 'coordinator_request', 'ok', 'error', 'GET', '/', '', '\u2028', '\ud800'],
  ...[null, true, 0, -1, 1e308, [], {}],
);
const { tree: hostileTree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5 },
    hostileValue,
    fc.jsonValue(),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(hostileKey, tie('tree'), { maxKeys: 6 }),
  ),
}));

/** A line that is nearly right: one message with some of its fields replaced. */
const nearlyRight = fc
  .tuple(
    fc.constantFrom<Record<string, unknown>>(
      { type: 'tool_call_intent', id: 'a', tool: 'file_io', args: { path: 'x' }, reason: 'y' },
      {
        type: 'api_call_intent',
        request: { kind: 'chat', messages: [{ role: 'user', content: 'x' }] },
      },
      {
        type: 'api_call_intent',
        request: { kind: 'http', service: 's', method: 'GET', path: '/x' },
      },
      { type: 'agent_response', status: 'ok', result: 'x', memory_updates: [{ text: 'm' }] },
      { type: 'progress', text: 'x' },
    ),
    fc.dictionary(hostileKey, hostileTree, { maxKeys: 3 }),
  )
  .map(([message, changes]) => ({ ...message, ...changes }));

describe('the protocol parser', () => {
  it(
    'never throws, and accepts its own output unchanged',
    () => {
      const line = fc.oneof(
        hostileTree.map((value) => JSON.stringify(value)),
        nearlyRight.map((value) => JSON.stringify(value)),
        nearlyRight.map((value) =>
          JSON.stringify(value).replace('"type"', '"__proto__":{},"type"'),
        ),
        fc.string({ unit: 'binary', maxLength: 200 }),
        fc.nat(3_000).map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
      );
      fc.assert(
        fc.property(line, (text) => {
          const parsed = parseCapsuleLine(text, noSecrets.redact);
          expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
          if (parsed.kind === 'nonsense') expect(parsed.problem.length).toBeLessThan(2_000);
          if (parsed.kind !== 'message') return;
          const again = parseCapsuleLine(JSON.stringify(parsed.message), noSecrets.redact);
          expect(again).toEqual(parsed);
          expect(Object.getPrototypeOf(parsed.message)).toBe(Object.prototype);
        }),
        fuzz(4_000),
      );
    },
    FUZZ_TIMEOUT_MS,
  );

  it(
    'returns only lines within the limit from any bytes, in any chunks',
    () => {
      const pieces = fc.array(
        fc.oneof(
          fc.uint8Array({ maxLength: 60 }),
          fc.constantFrom(Buffer.from('\n'), Buffer.from('\r\n'), Buffer.alloc(90, 0x61)),
        ),
        { maxLength: 30 },
      );
      fc.assert(
        fc.property(pieces, fc.integer({ min: 1, max: 100 }), (chunks, maxBytes) => {
          const lines: Buffer[] = [];
          let broken = 0;
          const splitter = new LineSplitter({
            maxBytes,
            onLine: (line) => {
              expect(broken).toBe(0);
              lines.push(Buffer.from(line));
            },
            onTooLong: () => {
              broken += 1;
            },
          });
          for (const chunk of chunks) splitter.push(Buffer.from(chunk));
          splitter.end();
          expect(broken).toBeLessThanOrEqual(1);
          for (const line of lines) {
            expect(line.length).toBeLessThanOrEqual(maxBytes);
            expect(line.includes(0x0a)).toBe(false);
          }
        }),
        fuzz(3_000),
      );
    },
    FUZZ_TIMEOUT_MS,
  );
});

describe('the template engine', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ...['{{', '}}', '{{a}}', '{{b}}', '{{list}}', '{{#if a}}', '{{#if none}}', '{{/if}}', '\\{{'],
      ...['{{constructor}}', '{{__proto__}}', '{{ a }}', '{{#if', '{', '}', '\n', '{{{a}}}'],
    ),
    fc.string({ maxLength: 8 }),
  );
  const template = fc.array(piece, { maxLength: 20 }).map((parts) => parts.join(''));
  const value = fc.array(piece, { maxLength: 6 }).map((parts) => parts.join(''));
  const render = (text: string, a: string): string | undefined => {
    try {
      return renderTemplate(text, { a, b: 'b', list: ['x', 'y'], none: '' }, { path: 'skill.md' });
    } catch (error) {
      if (!failedWith(error, 'TEMPLATE_INVALID')) throw error;
      return undefined;
    }
  };

  it(
    'fails with its own error only, and is valid or not for any values',
    () => {
      fc.assert(
        fc.property(template, value, (text, a) => {
          const [one, other] = [render(text, a), render(text, 'plain')];
          expect(one === undefined).toBe(other === undefined);
        }),
        fuzz(4_000),
      );
    },
    FUZZ_TIMEOUT_MS,
  );

  it(
    'never reads an inserted value as a template again',
    () => {
      const mark = '\u0001';
      fc.assert(
        fc.property(template, value, (text, a) => {
          fc.pre(!text.includes(mark) && a !== '');
          const marked = render(text, mark);
          if (marked === undefined) return;
          expect(render(text, a)).toBe(marked.replaceAll(mark, () => a));
        }),
        fuzz(4_000),
      );
    },
    FUZZ_TIMEOUT_MS,
  );

  it(
    'leaves text without braces as it is',
    () => {
      fc.assert(
        fc.property(fc.string({ unit: 'binary' }), (text) => {
          fc.pre(!text.includes('{{'));
          expect(render(text, 'x')).toBe(text);
        }),
        fuzz(2_000),
      );
    },
    FUZZ_TIMEOUT_MS,
  );
});
