import { expect, it } from 'vitest';
import { withoutStep } from './plan-steps.tsx';

const step = (id: string, ...depends_on: string[]) => ({ id, description: id, depends_on });

it('lets what waited for a removed step wait for what that one waited for', () => {
  expect(withoutStep([step('a'), step('b', 'a'), step('c', 'b')], 'b')).toEqual([
    step('a'),
    step('c', 'a'),
  ]);
});

it('names no step twice', () => {
  expect(withoutStep([step('a'), step('b', 'a'), step('c', 'b', 'a')], 'b')).toEqual([
    step('a'),
    step('c', 'a'),
  ]);
});
