import { expect, it } from 'vitest';
import { openCapstan } from './open-capstan.ts';

it.each([
  ['no options', undefined, '`env`'],
  ['no environment', { cwd: '/tmp' }, '`env`'],
  ['a relative folder', { env: {}, cwd: 'here' }, '`cwd`'],
])('with %s, says which option is wrong', async (_what, options, named) => {
  await expect(openCapstan(options as never)).rejects.toThrow(named);
});
