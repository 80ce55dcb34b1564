import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ByteTail } from './kept-stderr.ts';

it('ByteTail keeps the last bytes of any chunks', () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ maxLength: 25 })),
      fc.integer({ min: 1, max: 20 }),
      (chunks, max) => {
        const tail = new ByteTail(max);
        for (const chunk of chunks) tail.push(Buffer.from(chunk));
        expect([...tail.bytes()]).toEqual([...Buffer.concat(chunks)].slice(-max));
      },
    ),
  );
});
