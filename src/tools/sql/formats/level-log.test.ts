import { expect, it } from 'vitest';
import { startCpuClock } from '../../../../test/setup/cpu-clock.ts';
import type { Cell } from '../files/column-cells.ts';
import { isLevelLog, levelLogReader } from './level-log.ts';

/** Rows as line, time, level, message, and the notes on omitted lines. */
function read(text: string) {
  const rows: (readonly Cell[])[] = [];
  const notes: string[] = [];
  const names: string[] = [];
  levelLogReader.read([text], {
    file: { fd: -1, shown: 'a.log' },
    headerOf: (header) => header,
    place: (name) => (names.includes(name) ? names.indexOf(name) : names.push(name) - 1),
    add: (cells) => void rows.push([...cells]),
    reject: (line, problem) => void notes.push(`${line}: ${problem}`),
  });
  return { rows, notes };
}

const at = '2026-03-02 08:00:00';

it('reads time, level and message in the forms that programs write', () => {
  const { rows } = read(
    [
      `${at} INFO started`,
      `[${at},123] [main] a.Logger WARN - disk is full`,
      `${at} - my.app - ERROR - no route`,
      `${at} error: lower case`,
      '2026-03-02T08:00:00.5+02:00 [DEBUG] x',
    ].join('\n'),
  );
  expect(rows.map(([, , level, message]) => [level, message])).toEqual([
    ['INFO', 'started'],
    ['WARN', 'disk is full'],
    ['ERROR', 'no route'],
    ['ERROR', 'lower case'],
    ['DEBUG', 'x'],
  ]);
  expect(rows[4]?.[4]).toBe('+02:00');
});

it('reads the program in brackets before the message', () => {
  const { rows } = read(`${at} INFO [w-1] job [7] done\n${at} INFO [2/3] step`);
  expect(rows.map(([, , , message, source]) => [message, source])).toEqual([
    ['job [7] done', 'w-1'],
    ['[2/3] step', undefined],
  ]);
});

it('reads pairs at the end of a message as columns', () => {
  const { rows } = read(
    `${at} INFO request path=/a ms=5\n[${at}] WARN user=u1 msg="disk full"\n${at} INFO a=1 of two`,
  );
  expect(rows.map((row) => row.slice(2))).toEqual([
    ['INFO', 'request', '/a', '5'],
    ['WARN', 'disk full', undefined, undefined, 'u1', 'disk full'],
    ['INFO', 'a=1 of two', undefined, undefined, undefined, undefined, '1'],
  ]);
});

it('reads a request at the beginning of a message as columns', () => {
  const { rows } = read(
    `${at} INFO GET /bikes 200 298ms ok\n${at} WARN POST /login 502\n${at} INFO GET ready`,
  );
  expect(rows.map((row) => row.slice(3))).toEqual([
    ['GET /bikes 200 298ms ok', 'GET', '/bikes', '200', '298ms', '298'],
    ['POST /login 502', 'POST', '/login', '502'],
    ['GET ready'],
  ]);
});

it('reads times without seconds, and other words in capitals as levels', () => {
  const { rows } = read('2026-10-05 08:50 STOP CS220 50 min');
  expect(rows[0]).toEqual(['1', '2026-10-05 08:50:00', 'STOP', 'CS220 50 min']);
  expect(isLevelLog(['2026-10-05 08:50 STOP a', '2026-10-05 08:51 START b'])).toBe(true);
  const words = 'ABC BCD CDE DEF EFG FGH GHI HIJ IJK'.split(' ');
  expect(isLevelLog(words.map((word) => `${at} ${word} x`))).toBe(false);
});

it('does not read a word of the message as a level', () => {
  const { rows } = read(`${at} no error found\n${at} payment alert sent`);
  expect(rows.map(([, , level]) => level)).toEqual([undefined, undefined]);
});

it('keeps a line with a time and no known level as its own row', () => {
  const { rows } = read(`${at} INFO a\n${at} 0x1f b\n  at line 3`);
  expect(rows.map(([, , level, message]) => [level, message])).toEqual([
    ['INFO', 'a'],
    [undefined, '0x1f b\n  at line 3'],
  ]);
});

it('says which lines of a long message it left out, and adds no later one', () => {
  const { rows, notes } = read(`${at} INFO a\n${'x'.repeat(20_000)}\nshort`);
  expect(rows[0]?.[3]).toBe('a');
  expect(notes).toHaveLength(2);
});

it('reads a long line of dashes immediately', () => {
  const cpuMs = startCpuClock();
  read(`${at} ${'-'.repeat(200_000)}\n${at} ${'- |'.repeat(60_000)}`);
  expect(cpuMs()).toBeLessThan(500);
});

it('is a log if most lines with a time have a level', () => {
  expect(isLevelLog([`${at} INFO a`, 'trace', 'trace', `${at} WARN b`])).toBe(true);
  expect(isLevelLog([`${at} no error`, `${at} all fine`])).toBe(false);
});
