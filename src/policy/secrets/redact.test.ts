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
    ['in a URL that Python wrote', encodeURIComponent(secret).replaceAll('%2F', '/')],
    ['in a form', new URLSearchParams({ key: secret }).toString()],
    ['in JSON with an escaped slash', JSON.stringify(secret).replaceAll('/', '\\/')],
    ['in JSON in ASCII', JSON.stringify(secret).replaceAll('é', '\\u00E9')],
    ['in JSON with escapes for HTML', JSON.stringify(secret).replaceAll('=', '\\u003d')],
    ['in JSON in a URL', encodeURIComponent(JSON.stringify({ key: secret }))],
    ['in a URL in JSON', JSON.stringify(JSON.stringify(encodeURIComponent(secret)))],
    ['in Base64 in a URL', encodeURIComponent(Buffer.from(`a${secret}`).toString('base64'))],
  ])('finds a secret %s', (_how, text) => {
    expect(redactor.holdsSecret({ a: [`before ${text} after`] })).toBe(true);
    const clean = redactor.redact(`before ${text} after`);
    expect(clean).toContain(REDACTED);
    expect(redactor.holdsSecret(clean)).toBe(false);
  });

  it.each([
    ['as RFC 3986 wants it', '%21%27%28%29%2A%7E'],
    ['as encodeURIComponent leaves it', "!'()*~"],
    ['as URLSearchParams writes it', new URLSearchParams({ k: "!'()*~" }).toString().slice(2)],
    ['half of it in small letters', '%21%27%28%29%2a%7e'],
  ])('finds the marks of a secret in a URL %s', (_how, marks) => {
    const own = createRedactor(["opens!'()*~sesame-2026"]);
    expect(own.redact(`?key=opens${marks}sesame-2026&n=1`)).toBe(`?key=${REDACTED}&n=1`);
  });

  it.each([64, 76])('finds a secret in Base64 of %i columns, wherever it begins', (columns) => {
    const long = `sk-proj-${'aB3dE6gH9jK2mN5p'.repeat(9)}`;
    const own = createRedactor([secret, long]);
    for (const one of [secret, long]) {
      for (let before = 0; before < (columns / 4) * 3; before += 1) {
        const whole = Buffer.from(`${'x'.repeat(before)}${one} and the rest`).toString('base64');
        for (const newline of ['\n', '\r\n', '\n    ']) {
          const lines = whole.replace(new RegExp(`.{${columns}}`, 'g'), `$&${newline}`);
          expect(own.holdsSecret(lines)).toBe(true);
          expect(own.holdsSecret(JSON.stringify({ lines }))).toBe(true);
          expect(own.holdsSecret(own.redact(lines))).toBe(false);
        }
      }
    }
  });

  it('removes only what is between the marks of a text', () => {
    const text = `ü "${secret}" é ${Buffer.from(secret).toString('base64url')}\n\n${secret}${secret}.`;
    const clean = redactor.redact(text);
    expect(clean.startsWith(`ü "${REDACTED}" é ${REDACTED}`)).toBe(true);
    expect(clean.endsWith(`\n\n${REDACTED}${REDACTED}.`)).toBe(true);
  });

  it('writes the JSON of a value without it', () => {
    const value = { a: [secret, '\\u'], [secret]: 'é' };
    expect(JSON.parse(redactor.json(value) ?? '')).toEqual(redactor.redact(value));
    expect(redactor.json({ a: 1 })).toBe('{"a":1}');
    expect(redactor.json(undefined)).toBeNull();
  });

  it('finds secrets without letters or digits', () => {
    const marks = '!@#$%^&*()_+{}|: "<>?';
    const own = createRedactor([marks]);
    expect(own.redact(`a ${marks} b`)).toBe(`a ${REDACTED} b`);
    expect(own.holdsSecret(encodeURIComponent(marks))).toBe(true);
    expect(own.json({ marks })).toBe(JSON.stringify({ marks: REDACTED }));
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

  it('returns the same value if there is nothing to hide', () => {
    const value = { a: ['too-short'] };
    expect(redactor.redact(value)).toBe(value);
    expect(createRedactor([]).redact(value)).toBe(value);
    expect(createRedactor(['short']).holdsSecret('short')).toBe(false);
  });

  it('knows secrets that are added later, besides the first ones', () => {
    const own = createRedactor();
    const { redact, json } = own;
    expect(redact(secret)).toBe(secret);
    own.add([secret, 'short']);
    own.add(['another-secret-2026']);
    expect(redact(`${secret} another-secret-2026 short`)).toBe(`${REDACTED} ${REDACTED} short`);
    expect(json([secret])).toBe(JSON.stringify([REDACTED]));
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
          JSON.stringify(JSON.stringify(before + one + after)),
          encodeURIComponent(JSON.stringify(one)),
        ]) {
          expect(own.holdsSecret(hidden)).toBe(true);
        }
      }),
    );
  });
});

describe('a text that arrives in pieces', () => {
  const redactor = createRedactor([secret, 'another-secret-of-16']);
  /** What is released while the pieces arrive, then the end. */
  const release = (pieces: readonly string[]) => {
    let held = '';
    const released = pieces.map((piece) => {
      const { clean, rest } = redactor.redactStart(held + piece);
      held = rest;
      return clean;
    });
    return [...released, redactor.redact(held)];
  };
  const twice = (text: string) => encodeURIComponent(encodeURIComponent(text));

  it.each([
    ['as it is', `key: ${secret}, and more`],
    ['twice in a row', `${secret}${secret}`],
    ['in a URL', `?k=${encodeURIComponent(secret)}&n=1`],
    ['in a URL in a URL', `?k=${twice(secret)}&n=1`],
    ['in JSON in ASCII', JSON.stringify({ k: secret }).replaceAll('é', '\\u00E9')],
    ['in JSON in JSON', JSON.stringify(JSON.stringify({ key: secret }))],
    ['in Base64', `Basic ${Buffer.from(`user:${secret}`).toString('base64')} is sent`],
    [
      'in lines of Base64',
      Buffer.from(`xyz${secret}and the rest`).toString('base64').replace(/.{20}/g, '$&\n'),
    ],
    ['that does not end', `key: ${secret.slice(0, -1)}`],
  ])('shows nothing of a secret %s, wherever it is split', (_how, text) => {
    const expected = redactor.redact(text);
    expect(release([...text]).join('')).toBe(expected);
    for (let cut = 0; cut <= text.length; cut += 1) {
      expect(release([text.slice(0, cut), text.slice(cut)]).join('')).toBe(expected);
    }
  });

  it('emits immediately what can’t be the beginning of a secret', () => {
    expect(release(['Hello, ', 'world. ', '50 % of 12 \\ 😀.'])).toEqual([
      'Hello, ',
      'world. ',
      '50 % of 12 \\ 😀.',
      '',
    ]);
    expect(release(['the key is sk-te', 'rrible'])).toEqual(['the key is ', 'sk-terrible', '']);
  });

  it('keeps surrogate pairs together', () => {
    expect(release(['b\ud83d', '\ude00.'])).toEqual(['b', '😀.', '']);
  });

  it('delays at most 65,536 characters', () => {
    const own = createRedactor(['a'.repeat(200_000)]);
    expect(own.redactStart('a'.repeat(70_000)).rest).toBe('');
    expect(own.redactStart('a'.repeat(60_000)).rest).toHaveLength(60_000);
  });
});
