import { emptyCheckpoint, MemorySaver } from '@langchain/langgraph-checkpoint';
import { expect, it } from 'vitest';
import { BufferedCheckpoints } from './buffered-checkpoints.ts';

const config = { configurable: { thread_id: 'run', checkpoint_ns: '' } };
const metadata = { source: 'loop', step: 1, parents: {} } as const;

async function holdOne() {
  const saver = new MemorySaver();
  const held = new BufferedCheckpoints(() => saver);
  const checkpoint = emptyCheckpoint();
  const saved = await held.put(config, checkpoint, metadata);
  await held.putWrites(saved, [['phase', 'execution']], 'task');
  return { saver, held, checkpoint };
}

it('writes nothing before `keep` is called, and then all of it', async () => {
  const { saver, held, checkpoint } = await holdOne();
  expect(await saver.getTuple(config)).toBeUndefined();
  await held.keep('run');
  const tuple = await held.getTuple(config);
  expect(tuple?.checkpoint.id).toBe(checkpoint.id);
  expect(tuple?.pendingWrites).toEqual([['task', 'phase', 'execution']]);
});

it('writes nothing of a run that has ended', async () => {
  const { saver, held } = await holdOne();
  held.drop('run');
  await held.keep('run');
  expect(await saver.getTuple(config)).toBeUndefined();
});
