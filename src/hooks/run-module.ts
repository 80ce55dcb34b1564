import { createRequire } from 'node:module';
import type { HookPayload, HookPoint } from './hook.ts';
import { untilStopped } from './until-stopped.ts';

export interface ModuleOptions {
  readonly point: HookPoint;
  readonly payload: HookPayload;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Calls the function that the module exports under the name of the point. It runs in this process, with its permissions:
 * a blocking loop can't be stopped.
 *
 * @returns Its answer as JSON; undefined if it returned nothing.
 * @throws Error with the reason on one line if there is no answer.
 */
export async function runModule(
  path: string,
  { point, payload, timeoutMs, signal }: ModuleOptions,
): Promise<string | undefined> {
  return toJson(await untilStopped({ timeoutMs, signal }, callOf(path, point, payload)));
}

function toJson(answer: unknown): string | undefined {
  if (answer === undefined) return undefined;
  const text: string | undefined = JSON.stringify(answer);
  if (text === undefined) throw new Error(`its answer is invalid: a ${typeof answer}`);
  return text;
}

/** By `require`, which also loads ES modules: code that comes from the code cache has no loader for `import()`. */
const load = createRequire(import.meta.url);

async function callOf(path: string, point: HookPoint, payload: HookPayload): Promise<unknown> {
  const exported: unknown = load(path);
  const hook = memberOf(exported, point) ?? memberOf(memberOf(exported, 'default'), point);
  if (typeof hook !== 'function') throw new Error(`it does not export a function ${point}`);
  return hook(structuredClone({ point, ...payload }));
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
