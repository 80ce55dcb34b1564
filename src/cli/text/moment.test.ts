import { describe, expect, it } from 'vitest';
import { momentOf } from './moment.ts';

const now = new Date('2026-11-21T12:00:00.000Z');

describe('momentOf', () => {
  it.each([
    ['7d', 'future', '2026-11-28T12:00:00.000Z'],
    ['12h', 'past', '2026-11-21T00:00:00.000Z'],
    ['30m', 'future', '2026-11-21T12:30:00.000Z'],
    ['4w', 'past', '2026-10-24T12:00:00.000Z'],
    ['2027-01-31T12:00Z', 'future', '2027-01-31T12:00:00.000Z'],
    ['2027-01-31T12:00:00+02:00', 'past', '2027-01-31T10:00:00.000Z'],
  ] as const)('reads %s in the %s', (text, direction, iso) => {
    expect(momentOf(text, now, direction)?.toISOString()).toBe(iso);
  });

  it('takes the end of a future day and the start of a past day', () => {
    expect(momentOf('2027-01-31', now, 'future')).toEqual(new Date(2027, 1, 1));
    expect(momentOf('2026-01-31', now, 'past')).toEqual(new Date(2026, 0, 31));
  });

  it.each(['', 'soon', '7', '7y', '2027-02-30', '2027-13-01', '-7d', '2027-01-31T99:00Z'])(
    'does not guess at "%s"',
    (text) => {
      expect(momentOf(text, now, 'future')).toBeUndefined();
    },
  );
});
