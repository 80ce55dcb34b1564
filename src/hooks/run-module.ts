import { pathToFileURL } from 'node:url';
import type { HookPayload, HookPoint } from './hook.ts';

export interface ModuleOptions {
  readonly point: HookPoint;
  readonly payload: HookPayload;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Calls the function that the module exports under the name of the point. It runs in this very process, with its rights.
 *
 * @throws Error that says in one line why there is no answer.
 */
export async function runModule(
  path: string,
  { point, payload, timeoutMs, signal }: ModuleOptions,
): Promise<unknown> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), timeoutMs);
  const stopped = new Promise<never>((_, reject) => {
    late.signal.addEventListener('abort', () =>
      reject(new Error(`it gave no answer within ${timeoutMs} ms`)),
    );
    signal.addEventListener('abort', () => reject(new Error('the run ended first')));
  });
  stopped.catch(() => undefined);
  try {
    return await Promise.race([callOf(path, point, payload), stopped]);
  } finally {
    clearTimeout(timer);
  }
}

async function callOf(path: string, point: HookPoint, payload: HookPayload): Promise<unknown> {
  const exported: Record<string, unknown> = await import(pathToFileURL(path).href);
  const hook = exported[point];
  if (typeof hook !== 'function') throw new Error(`it exports no function ${point}`);
  return hook({ point, ...payload });
}
