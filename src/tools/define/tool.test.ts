import { expect, it } from 'vitest';
import { targetLine } from './tool.ts';

it('the target of a long text is found in time that grows with its length', () => {
  const startedMs = performance.now();
  expect(targetLine(`x = "${' '.repeat(1_000_000)}"`)).toHaveLength(100);
  expect(performance.now() - startedMs).toBeLessThan(1_000);
  expect(targetLine('\n  print(1)  \nprint(2)')).toBe('print(1)');
});
