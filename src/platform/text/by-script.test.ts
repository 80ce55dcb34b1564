import { expect, it } from 'vitest';
import { byScript } from './by-script.ts';

const words = byScript('[\\p{L}\\p{M}][\\p{L}\\p{N}]*', 'g');

it('finds the same in a text of ASCII and in one of other scripts', () => {
  expect('ab1 2c _d'.match(words('ab1 2c _d'))).toEqual(['ab1', 'c', 'd']);
  expect('ab1 2c _d é'.match(words('ab1 2c _d é'))).toEqual(['ab1', 'c', 'd', 'é']);
});

it('starts at the beginning of each text', () => {
  expect(words('one').exec('one')?.[0]).toBe('one');
  expect(words('one').exec('one')?.[0]).toBe('one');
});
