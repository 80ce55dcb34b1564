import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

const Agent = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  tools: z.array(z.object({ name: z.string(), description: z.string().default('') })).default([]),
  examples: z.array(z.string()).default([]),
});
export type Agent = z.infer<typeof Agent>;

const Query = z.object({ text: z.string(), agent_id: z.string().nullish() });

/** Tasks with the agent that should get each; undefined if none of the set fits. */
export interface RoutingSet {
  readonly name: string;
  readonly agents: readonly Agent[];
  readonly queries: readonly { readonly text: string; readonly agentId: string | undefined }[];
}

/** Every `DIR/<set>/` that has `agents.jsonl` and `queries.jsonl` or `queries.dev.jsonl`. */
export function readRoutingSets(dir: string): RoutingSet[] {
  return readdirSync(dir)
    .filter((name) => existsSync(join(dir, name, 'agents.jsonl')))
    .map((name) => readSet(dir, name))
    .filter(({ queries }) => queries.length > 0);
}

function readSet(dir: string, name: string): RoutingSet {
  const agents = readLines(join(dir, name, 'agents.jsonl'), Agent);
  const ids = new Set(agents.map(({ id }) => id));
  const queries = ['queries.jsonl', 'queries.dev.jsonl'].flatMap((file) =>
    readLines(join(dir, name, file), Query),
  );
  return {
    name,
    agents,
    queries: queries.map(({ text, agent_id: id }) => ({
      text,
      agentId: id && ids.has(id) ? id : undefined,
    })),
  };
}

function readLines<Schema extends z.ZodType>(path: string, schema: Schema): z.infer<Schema>[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => schema.parse(JSON.parse(line)));
}
