import { Writable } from 'node:stream';
import { afterEach, expect, it, vi } from 'vitest';
import { outputWritten, writeOut } from './process-output.ts';

vi.mock(import('node:fs'), async (original) => ({
  ...(await original()),
  writeSync() {
    throw Object.assign(new Error('the pipe is full'), { code: 'EAGAIN' });
  },
}));

afterEach(() => {
  vi.restoreAllMocks();
});

it('a stderr that nobody reads is given up after 5 s, and stdout decides the result', async () => {
  const stuck = new Writable({ write: () => {} });
  const taken: string[] = [];
  const taking = new Writable({
    write(chunk, _encoding, done) {
      taken.push(String(chunk));
      setTimeout(done, 20);
    },
  });
  vi.spyOn(process, 'stderr', 'get').mockReturnValue(stuck as typeof process.stderr);
  vi.spyOn(process, 'stdout', 'get').mockReturnValue(taking as typeof process.stdout);
  writeOut(2, 'a warning');
  writeOut(1, 'the answer');
  expect(await outputWritten()).toBe(true);
  expect(taken.join('')).toBe('the answer');
}, 15_000);
