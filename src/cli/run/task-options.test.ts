import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import type { CommandIo } from '../command.ts';
import { taskOf } from './task-options.ts';

const taskOn = (bytes: Buffer) =>
  taskOf({ positionals: ['-'], options: {} }, {
    input: Readable.from([bytes]),
    cwd: '.',
  } as unknown as CommandIo);

it('a task on stdin must be UTF-8', async () => {
  expect(await taskOn(Buffer.from('Zähle die Zeilen\n'))).toBe('Zähle die Zeilen');
  await expect(taskOn(Buffer.from([0xff, 0xfe, 0x20, 0x62]))).rejects.toMatchObject({
    code: 'USAGE',
    message: expect.stringContaining('not UTF-8'),
  });
});
