import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { indexPieces, indexWordPieces, packIndex, readIndex } from './piece-index.ts';

const vocabulary = Buffer.from('the\nsun\n##shine\n##s\nété\n');

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'capstan-pieces-'));
  path = join(folder, 'vocab.index');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the index of a vocabulary', () => {
  test('is the same when read from its file as when computed', () => {
    writeFileSync(path, packIndex(vocabulary));
    expect(readIndex(path, vocabulary)).toEqual(indexPieces(vocabulary));
  });

  test('finds the longest pieces of a word', () => {
    writeFileSync(path, packIndex(vocabulary));
    const pieces = indexWordPieces(vocabulary, readIndex(path, vocabulary));
    expect(pieces.size).toBe(5);
    expect(pieces.idsOf('sunshines')).toEqual([1, 2, 3]);
    expect(pieces.idsOf('été')).toEqual([4]);
    expect(pieces.idsOf('shine')).toEqual([]);
  });

  test.each<[string, () => void]>([
    ['there is none', () => {}],
    ['it is of another vocabulary', () => writeFileSync(path, packIndex(Buffer.from('a\n')))],
    ['it is cut off', () => writeFileSync(path, packIndex(vocabulary).subarray(0, -4))],
    ['it is no index', () => writeFileSync(path, 'what is this')],
  ])('counts as missing if %s', (_, write) => {
    write();
    expect(readIndex(path, vocabulary)).toBeUndefined();
  });
});
