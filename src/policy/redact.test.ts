import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor, REDACTED } from './redact.ts';

const secret = 'sk-test/1234+5678=é"abc';

describe('createRedactor', () => {
  const redactor = createRedactor([secret, 'too-short']);

  it.each([
    ['as it is', secret],
    ['in a URL', encodeURIComponent(secret)],
    [
      'in a URL with small letters',
      encodeURIComponent(secret).replace(/%../g, (c) => c.toLowerCase()),
    ],
    ['in JSON', JSON.stringify({ key: secret })],
    ['in JSON in JSON', JSON.stringify(JSON.stringify({ key: secret }))],
    ['in Base64', Buffer.from(secret).toString('base64')],
    ['in Base64 for URLs', Buffer.from(secret).toString('base64url')],
    ['in Base64 behind a name', Buffer.from(`user:${secret}`).toString('base64')],
    ['in Base64 between others', Buffer.from(`xy${secret}z`).toString('base64')],
  ])('finds a secret %s', (_how, text) => {
    expect(redactor.holdsSecret({ a: [`before ${text} after`] })).toBe(true);
    const clean = redactor.redact(`before ${text} after`);
    expect(clean).toContain(REDACTED);
    expect(redactor.holdsSecret(clean)).toBe(false);
  });

  it('replaces it anywhere in a value, in keys as well, and leaves the rest', () => {
    const value = { [secret]: 1, list: [secret, 2, null, true], deep: { text: `a ${secret} b` } };
    expect(redactor.redact(value)).toEqual({
      [REDACTED]: 1,
      list: [REDACTED, 2, null, true],
      deep: { text: `a ${REDACTED} b` },
    });
    expect(value.list[0]).toBe(secret);
  });

  it('gives back the same value where there is nothing to hide', () => {
    const value = { a: ['too-short'] };
    expect(redactor.redact(value)).toBe(value);
    expect(createRedactor([]).redact(value)).toBe(value);
    expect(createRedactor(['short']).holdsSecret('short')).toBe(false);
  });

  it('answers every time the same', () => {
    expect([1, 2, 3].map(() => redactor.holdsSecret(secret))).toEqual([true, true, true]);
  });

  it('survives a value of any depth', () => {
    let deep: unknown = secret;
    for (let at = 0; at < 100_000; at += 1) deep = [deep];
    expect(redactor.holdsSecret(deep)).toBe(true);
    const clean = redactor.redact(deep);
    expect(redactor.holdsSecret(clean)).toBe(false);
  });

  it('makes no prototype of a key', () => {
    const value = JSON.parse(`{"__proto__": {"x": ${JSON.stringify(secret)}}}`);
    const clean = redactor.redact(value);
    expect(Object.hasOwn(clean, '__proto__')).toBe(true);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  it('hides any secret in any surroundings, plain and encoded', () => {
    const key = fc
      .string({ minLength: 16, maxLength: 60, unit: 'binary' })
      .filter((text) => Buffer.from(text).toString() === text);
    const text = fc.string({ maxLength: 20 });
    fc.assert(
      fc.property(key, text, text, (one, before, after) => {
        const own = createRedactor([one]);
        for (const hidden of [
          before + one + after,
          JSON.stringify(before + one + after),
          before + encodeURIComponent(one) + after,
          Buffer.from(before + one + after).toString('base64'),
          Buffer.from(before + one + after).toString('base64url'),
        ]) {
          expect(own.holdsSecret(hidden)).toBe(true);
        }
      }),
    );
  });
});
