import { describe, expect, it } from 'vitest';
import { assertActor } from './assert-actor.ts';

describe('the name of a surface', () => {
  it.each(['cli', 'dashboard', 'person:ci job 4', 'é'.repeat(64)])('may be %s', (by) => {
    expect(() => assertActor(by)).not.toThrow();
  });

  it.each([
    ['', 'by is ""'],
    [' ', 'by is " "'],
    ['nobody', 'by is "nobody"'],
    ['approve_mode', 'by is "approve_mode"'],
    ['remembered:1', 'by is "remembered:1"'],
    ['x'.repeat(65), 'at most 64 visible characters'],
    ['cli\nforged', 'by is "cli\\u000aforged"'],
    ['cli\u202e', 'by is "cli\\u202e"'],
    ['cli\u200b', 'by is "cli\\u200b"'],
    ['cli\u{e0041}', 'by is "cli\\u{e0041}"'],
    [7 as unknown as string, 'by is "7"'],
    [undefined as unknown as string, 'by is "undefined"'],
  ])('may not be %j', (by, words) => {
    expect(() => assertActor(by)).toThrow(
      expect.objectContaining({ code: 'USAGE', message: expect.stringContaining(words) }),
    );
  });
});
