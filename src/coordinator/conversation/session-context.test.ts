import { describe, expect, it } from 'vitest';
import type { EarlierTurn } from '../../contract/wire/protocol.ts';
import { sessionContext, turnsToSummarize } from './session-context.ts';

const turn = (number: number, answer = `Answer ${number}.`): EarlierTurn => ({
  task: `Task ${number}`,
  status: 'completed',
  answer,
  files: [`out/${number}.csv`],
});
const long = (sentence: string, bytes: number) =>
  sentence.repeat(Math.ceil(bytes / sentence.length));
const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

describe('the context of a session', () => {
  it('is all turns, oldest first, while they fit', () => {
    const turns = [turn(1), turn(2)];
    expect(sessionContext(turns, 8_000)).toEqual({
      conversation: { left_out: 0, turns },
      older: [],
    });
  });

  it('shows the newest turns in full, and counts older ones that do not fit', () => {
    const turns = Array.from({ length: 60 }, (_, n) => turn(n, long(`Row ${n}. `, 600)));
    const { conversation, older } = sessionContext(turns, 1_000);
    expect(conversation.turns).toEqual(turns.slice(older.length));
    expect(conversation).toMatchObject({ left_out: older.length });
    expect(older).toEqual(turns.slice(0, older.length));
    expect(bytesOf(conversation)).toBeLessThanOrEqual(4_000);
  });

  it('always shows the newest turn, without its middle if it is too long', () => {
    const answer = `FIRST ${long('"rows"\n', 200_000)} LAST`;
    const files = Array.from({ length: 500 }, (_, n) => `exports/${n}.csv`);
    const newest = { ...turn(2, answer), task: long('a task ', 100_000), files };
    const { conversation, older } = sessionContext([turn(1), newest], 500);
    expect(older).toEqual([turn(1)]);
    const [shown] = conversation.turns;
    expect(shown?.answer).toMatch(/^FIRST[\s\S]*LAST$/);
    expect(shown?.status).toBe('completed');
    expect(shown?.files[0]).toMatch(/^\(\d+ more\)$/);
    expect(shown?.files.at(-1)).toBe('exports/499.csv');
    expect(bytesOf(conversation)).toBeLessThanOrEqual(2_000);
  });

  it('has the attachments of earlier turns, cut like their answers', () => {
    const attached = (text: string) => ({ ...turn(1), attachments: [{ name: 'stdin', text }] });
    const short = attached('a,b\n1,2\n');
    expect(sessionContext([short], 500).conversation.turns).toEqual([short]);
    const text = `FIRST ${long('1,2\n', 100_000)} LAST`;
    const { conversation } = sessionContext([attached(text)], 500);
    expect(conversation.turns[0]?.attachments?.[0]?.text).toMatch(/^FIRST[\s\S]*LAST$/);
    expect(bytesOf(conversation)).toBeLessThanOrEqual(2_000);
  });

  it('has what the person said while a turn ran, the newest if not all of it fits', () => {
    const said_while_it_ran = Array.from({ length: 500 }, (_, n) => `Hands off ${n}.`);
    const said = { ...turn(1), said_while_it_ran };
    expect(sessionContext([said], 8_000).conversation.turns).toEqual([said]);
    const [cut] = sessionContext([said], 500).conversation.turns;
    expect(cut?.said_while_it_ran?.at(-1)).toBe('Hands off 499.');
    expect(cut?.said_while_it_ran?.[1]).toMatch(/^Hands off \d+\.$/);
    const wordy = { ...turn(1), said_while_it_ran: [long('Hands off. ', 100_000)] };
    expect(bytesOf(sessionContext([wordy], 500).conversation)).toBeLessThanOrEqual(2_000);
  });

  it('stays within the limit for text in any script', () => {
    for (const sentence of ['注文が多い。', '"\\\n\t', '🌹', 'no end of a sentence ']) {
      const turns = Array.from({ length: 30 }, (_, n) => turn(n, long(sentence, 5_000)));
      for (const tokens of [500, 1_234, 8_000]) {
        expect(bytesOf(sessionContext(turns, tokens).conversation)).toBeLessThanOrEqual(tokens * 4);
        const summary = { text: long(sentence, 50_000), count: 3 };
        const { conversation } = sessionContext(turns, tokens, summary);
        expect(bytesOf(conversation)).toBeLessThanOrEqual(tokens * 4);
      }
    }
  });

  it('shows a summary in the place of older turns', () => {
    const turns = Array.from({ length: 60 }, (_, n) => turn(n, long(`Row ${n}. `, 600)));
    const { older } = sessionContext(turns, 1_000);
    const summarized = turnsToSummarize(older, 1_000);
    expect(bytesOf(summarized)).toBeLessThanOrEqual(16_002);
    expect(summarized).toEqual(older.slice(-summarized.length));
    const summary = { text: 'Rows were listed.', count: summarized.length };
    const { conversation } = sessionContext(turns, 1_000, summary);
    expect(conversation).toEqual({
      left_out: older.length - summarized.length,
      summary: 'Rows were listed.',
      turns: turns.slice(older.length),
    });
  });
});
