import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Annotation, END, START, StateGraph } from '@langchain/langgraph/web';
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';
import { BufferedCheckpoints } from '../../src/coordinator/store/buffered-checkpoints.ts';
import { openDatabase, openRelaxedConnection } from '../../src/db/open-database.ts';
import { repetitions } from '../measure/row.ts';
import { median } from '../pipe/round-trip.ts';

const ROUNDS = repetitions(9, 1);
const RUNS = 40;
const names = ['a', 'b', 'c', 'd', 'e', 'f'] as const;

const State = Annotation.Root({ runId: Annotation<string>, phase: Annotation<string | null> });

/** Six empty steps, as many as a run has. */
const sixSteps = () =>
  new StateGraph(State)
    .addNode('a', async () => ({ phase: 'a' }))
    .addNode('b', async () => ({ phase: 'b' }))
    .addNode('c', async () => ({ phase: 'c' }))
    .addNode('d', async () => ({ phase: 'd' }))
    .addNode('e', async () => ({ phase: 'e' }))
    .addNode('f', async () => ({ phase: 'f' }))
    .addEdge(START, 'a')
    .addEdge('a', 'b')
    .addEdge('b', 'c')
    .addEdge('c', 'd')
    .addEdge('d', 'e')
    .addEdge('e', 'f')
    .addEdge('f', END);

async function main() {
  const dir = mkdtempSync(join(tmpdir(), 'capstan-bench-'));
  const path = join(dir, 'capstan.db');
  openDatabase(path).close();
  const db = openRelaxedConnection(path);
  const checkpoints = new BufferedCheckpoints(() => new SqliteSaver(db));
  const bare = sixSteps().compile();
  const durable = sixSteps().compile({ checkpointer: checkpoints });
  const input = { runId: 'r', phase: null };
  let thread = 0;
  const runs = {
    bare: () => bare.invoke(input),
    durable: async () => {
      const id = String(++thread);
      await durable.invoke(input, { configurable: { thread_id: id }, durability: 'exit' });
      checkpoints.drop(id);
    },
  };
  const times = { bare: [] as number[], durable: [] as number[] };
  for (let round = 0; round <= ROUNDS; round++) {
    for (const kind of ['bare', 'durable'] as const) {
      const began = performance.now();
      for (let at = 0; at < RUNS; at++) await runs[kind]();
      if (round > 0) times[kind].push((performance.now() - began) / RUNS / names.length);
    }
  }
  db.close();
  rmSync(dir, { recursive: true });
  console.log(JSON.stringify({ bare: median(times.bare), durable: median(times.durable) }));
}

void main();
