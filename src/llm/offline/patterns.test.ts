import { expect, it } from 'vitest';
import { match } from '../../../offline/phrases/pattern.ts';

it('refuses a pattern with a group or a slot that is not closed', () => {
  for (const pattern of ['(delete|remove {file}', 'delete)', 'delete {file', '[all files'])
    expect(() => match(pattern, [])).toThrow(pattern);
  expect(match('[all] [of (it|them)]', [])).toMatchObject({ size: 0 });
});
