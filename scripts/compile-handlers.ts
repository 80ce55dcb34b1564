import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { compiledName, compileProgram, runProgram } from '../src/runtime/capsule/compiled.ts';
import type { Handler } from '../src/runtime/capsule/handler-context.ts';
import { handlerFlags } from './handler-flags.ts';
import { replaceFile } from './replace-file.ts';

/** What every tool answers: a table and a text. */
const answer = {
  ...{ columns: ['id', 'time', 'path', 'status', 'amount'], truncated: false, total_rows: 2 },
  rows: [
    [1, '2026-03-02 06:00:06', '/api/orders/7', 200, 12.5],
    [2, '2026-03-02 06:01:06', '/api/search', 500, 8],
  ],
  ...{ text: 'one\ntwo\n', content: 'one\ntwo\n', entries: [], matches: [] },
};

/**
 * Writes the compiled code of a capsule's handlers beside them, with the functions that the examples of its manifest use.
 * What an example answers does not matter.
 */
async function compile(filename: string): Promise<void> {
  const source = readFileSync(filename);
  const script = compileProgram(filename, source);
  const { handlers } = runProgram(filename, script) as { handlers: Record<string, Handler> };
  const manifest = readFileSync(join(dirname(filename), 'manifest.json'), 'utf8');
  for (const { name, examples = [] } of JSON.parse(manifest).task_kinds)
    for (const task of examples) await handlers[name]?.(contextOf(task)).catch(() => undefined);
  // The handlers change them.
  setFlagsFromString(handlerFlags.usual);
  replaceFile(compiledName(filename), Buffer.concat([source, script.createCachedData()]));
}

const contextOf = (task: string) =>
  ({
    ...{ task, input: {}, results: [], memory: [], request: { context: {} } },
    ...{ call: async () => answer, progress: () => undefined, artifact: () => undefined },
  }) as unknown as Parameters<Handler>[0];

await compile(process.argv[2] ?? '');
