import { dirname, join } from 'node:path';
import { runCompiled } from './compiled.ts';
import type { Handler } from './handler-context.ts';
import {
  ModelError,
  type StartOptions,
  start as startCapsule,
  TaskError,
  ToolError,
} from './sdk.ts';

export { ModelError, TaskError, ToolError };

/**
 * The SDK's `start` for code that ships with Capstan: `handlers.cjs` runs from the compiled code beside it, if it has any.
 * The compiled code in the folder of a person or a project is never run, because only its source can be reviewed.
 */
export function start({ handlers }: StartOptions = {}): void {
  startCapsule(handlers && { handlers: () => compiledHandlers() ?? handlers() });
}

function compiledHandlers(): Record<string, Handler> | undefined {
  const program = join(dirname(process.argv[1] ?? ''), 'handlers.cjs');
  return (runCompiled(program) as { handlers: Record<string, Handler> } | undefined)?.handlers;
}
