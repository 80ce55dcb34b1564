import { expect, it } from 'vitest';
import { readEvents } from './read-events.ts';

const streamOf = (...chunks: string[]) =>
  new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
      controller.close();
    },
  });

it('reads messages that are split anywhere, with numbers, several lines and heartbeats', async () => {
  const text = 'id: 7\nevent: run\ndata: {"a":\ndata: 1}\n\n: heartbeat\n\ndata: plain\n\n';
  for (const at of [1, 9, 20, 31, text.length - 1]) {
    const messages = await all(readEvents(streamOf(text.slice(0, at), text.slice(at))));
    expect(messages).toEqual([
      { id: '7', event: 'run', data: '{"a":\n1}' },
      { event: 'comment', data: '' },
      { event: 'message', data: 'plain' },
    ]);
  }
});

it('drops a message that was not finished', async () => {
  expect(await all(readEvents(streamOf('data: half')))).toEqual([]);
});

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}
