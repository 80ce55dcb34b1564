import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { uuid5, uuid6 } from '@langchain/langgraph-checkpoint';
import { build } from 'esbuild';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { lean } from '../scripts/build.ts';
import { drawing, patchedFiles } from '../scripts/lean-bundle.ts';

const root = join(import.meta.dirname, '..');
const run = promisify(execFile);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'capstan-bundle-'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Bundles a program like the product, runs it, and returns its output. */
async function printedBy(program: string, env: Record<string, string> = {}): Promise<string> {
  const entry = join(folder, 'program.ts');
  writeFileSync(entry, program);
  const outfile = join(folder, 'program.cjs');
  await build({ ...lean, write: true, entryPoints: [entry], outfile });
  const options = { timeout: 20_000, env: { PATH: process.env['PATH'] ?? '', ...env } };
  const { stdout } = await run(process.execPath, [outfile], options);
  return stdout.trim();
}

/**
 * A graph of two steps with checkpoints, the second chosen by a condition, that prints its actions and the attempted
 * connections.
 */
const graph = `
import net from 'node:net';
import { Annotation, END, START, StateGraph } from '@langchain/langgraph/web';
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';
import Database from 'better-sqlite3';

let connections = 0;
net.Socket.prototype.connect = function () { connections += 1; return this; };
globalThis.fetch = async () => { connections += 1; throw new Error('no network'); };

const State = Annotation.Root({ word: Annotation<string>, map: Annotation<Record<string, number>> });
const database = new Database(':memory:');
const app = new StateGraph(State)
  .addNode('shout', ({ word }) => ({ word: word.toUpperCase() }))
  .addNode('count', ({ word }) => ({ map: { [word]: word.length } }))
  .addEdge(START, 'shout')
  .addConditionalEdges('shout', ({ word }) => (word === 'HI' ? 'count' : END), ['count', END])
  .addEdge('count', END)
  .compile({ checkpointer: new SqliteSaver(database) });

async function main() {
  const config = { configurable: { thread_id: 't' } };
  await app.invoke({ word: 'hi' }, config);
  const { values } = await app.getState(config);
  await new Promise((resolve) => setTimeout(resolve, 200));
  console.log(JSON.stringify({ values, connections }));
}
void main();
`;

describe('a lean bundle', () => {
  it('runs a graph and finds its checkpoints again', async () => {
    const { values } = JSON.parse(await printedBy(graph));
    expect(values).toEqual({ word: 'HI', map: { HI: 2 } });
  });

  it('sends nothing anywhere, even if the environment asks for tracing', async () => {
    const printed = await printedBy(graph, {
      LANGSMITH_TRACING: 'true',
      LANGCHAIN_TRACING_V2: 'true',
      LANGSMITH_API_KEY: 'a key that opens nothing',
      LANGSMITH_ENDPOINT: 'http://127.0.0.1:9',
    });
    expect(JSON.parse(printed)).toEqual({ values: { word: 'HI', map: { HI: 2 } }, connections: 0 });
  });

  it('makes the same ids of names as the library does', async () => {
    const program = `
      import { uuid5 } from '@langchain/langgraph-checkpoint';
      console.log(uuid5('ä name', '6ba7b810-9dad-11d1-80b4-00c04fd430c8'));`;
    expect(await printedBy(program)).toBe(uuid5('ä name', '6ba7b810-9dad-11d1-80b4-00c04fd430c8'));
  });

  it('creates ids of checkpoints that sort after those of the library, in order of creation', async () => {
    const program = `
      import { uuid6 } from '@langchain/langgraph-checkpoint';
      console.log(JSON.stringify([-2, -1, 0, 1].map(uuid6)));`;
    const before = uuid6(5);
    const ids = [before, ...(JSON.parse(await printedBy(program)) as string[])];
    expect(ids.toSorted()).toEqual(ids);
    expect(ids.join('\n')).toMatch(
      /^([0-9a-f]{8}-[0-9a-f]{4}-6[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\n?){5}$/,
    );
  });
});

describe('a patch of a package', () => {
  let files: readonly string[];
  beforeAll(async () => {
    const entryPoints = [
      'src/cli/main.ts',
      'src/embeddings/transformers/transformers-worker.ts',
      drawing.entry,
    ];
    const { metafile } = await build({ ...lean, metafile: true, outdir: root, entryPoints });
    files = Object.keys(metafile.inputs);
  });

  it.each(patchedFiles)('changes one file that the product loads: %s', (filter) => {
    expect(files.filter((file) => filter.test(file))).toHaveLength(1);
  });

  it('of streams passes on the error of a node', async () => {
    const failing = graph
      .replace('word.toUpperCase()', 'word.missing.part')
      .replace('void main()', 'main().catch(({ name }) => console.log(name))');
    expect(await printedBy(failing)).toBe('TypeError');
  });

  it('of functions passes the configuration of the run to a node', async () => {
    const program = graph
      .replace("'count', ({ word }) =>", "'count', ({ word }, { configurable }) =>")
      .replace('[word]: word.length', '[configurable.thread_id]: word.length');
    const { values } = JSON.parse(await printedBy(program));
    expect(values).toEqual({ word: 'HI', map: { t: 2 } });
  });

  it('of random ids draws a new one each time', async () => {
    const program = `
      import { v4 } from '@langchain/core/utils/uuid';
      console.log(JSON.stringify(Array.from({ length: 600 }, () => v4())));`;
    const ids = JSON.parse(await printedBy(program)) as string[];
    expect(new Set(ids).size).toBe(600);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });
});

describe('the built command line', () => {
  const bundle = () => readFileSync(join(root, 'dist/main.cjs'), 'latin1');

  it('is ASCII, as the launcher reads it', () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII.
    expect(/[^\x00-\x7f]/.test(bundle())).toBe(false);
  });

  it('knows no address of a tracing service', () => {
    expect(bundle()).not.toMatch(/smith\.langchain\.com|langfuse\.com/);
  });

  it('imports nothing by a loader that compiled code does not have', () => {
    expect(bundle()).not.toMatch(/[^.\w$]import\(/);
  });
});
