/**
 * Stands in for the `langsmith` package in the bundle: LangChain makes a `RunTree` at every step, tracing or not.
 * It has no network access, so no environment setting can send prompts anywhere.
 */

type Fields = Record<string, unknown>;

/** A node of a trace that nobody collects: it only carries what LangChain attaches to it. */
export class RunTree {
  extra: Fields | undefined;
  readonly tracingEnabled = false;

  constructor(fields: Fields = {}) {
    this.extra = fields['extra'] as Fields | undefined;
  }

  createChild(fields: Fields = {}): RunTree {
    return new RunTree(fields);
  }
  async end(): Promise<void> {}
  async postRun(): Promise<void> {}
  async patchRun(): Promise<void> {}
}

export const isRunTree = (value: unknown): value is RunTree => value instanceof RunTree;

/** The object that LangChain requests for tracing; its methods are missing on purpose. */
export class Client {}

export const getDefaultProjectName = (): string => 'default';

export const getCurrentRunTree = (): undefined => undefined;

export const isTraceableFunction = (): boolean => false;

/** Sort key of a run among its siblings, as LangChain's own event stream uses it. */
export function convertToDottedOrderFormat(epochMs: number, runId: string, executionOrder = 1) {
  const order = executionOrder.toFixed(0).slice(0, 3).padStart(3, '0');
  const at = `${new Date(epochMs).toISOString().slice(0, -1)}${order}Z`;
  return { dottedOrder: at.replace(/[-:.]/g, '') + runId, microsecondPrecisionDatestring: at };
}
