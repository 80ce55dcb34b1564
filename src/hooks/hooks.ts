import picomatch from 'picomatch';
import { messageOf } from '../errors.ts';
import { type Answer, parseAnswer } from './answer.ts';
import {
  CONTINUE,
  type HookDefinition,
  type HookPayload,
  type HookPoint,
  type HookVerdict,
} from './hook.ts';
import { runCommand } from './run-command.ts';
import { runModule } from './run-module.ts';

export interface Hooks {
  /** Whether any hook waits at a point: nothing is gathered for one where none does. */
  has(point: HookPoint): boolean;
  /**
   * Calls the hooks of a point one after the other, in the order of the file. The first `deny` ends it; else any `ask`
   * stands; each `modify` is what the next hook sees. Never throws.
   *
   * @param key The member of the payload that `modify` replaces.
   */
  run(point: HookPoint, payload: HookPayload, options: RunOptions): Promise<HookVerdict>;
}

export interface RunOptions {
  readonly key?: string;
  readonly signal: AbortSignal;
}

export interface HooksOptions {
  readonly searchPath: string;
  readonly home: string;
  /** Told of an observing hook that failed: it changes nothing else. */
  onProblem(runId: string, text: string): void;
}

export const noHooks: Hooks = { has: () => false, run: async () => CONTINUE };

/** The person's hooks, ready to be called. */
export function createHooks(definitions: readonly HookDefinition[], options: HooksOptions): Hooks {
  const hooks = definitions.map((definition) => ({ definition, fits: matcherOf(definition) }));
  const atPoint = (point: HookPoint) =>
    hooks.filter(({ definition }) => definition.on.includes(point));
  return {
    has: (point) => atPoint(point).length > 0,
    async run(point, payload, { key = 'value', signal }) {
      let verdict = CONTINUE;
      for (const { definition } of atPoint(point).filter(({ fits }) => fits(payload))) {
        const told = tell(payload, key, verdict);
        const answer = await answerOf(definition, { point, payload: told, signal, options });
        if (definition.mode === 'enforce') verdict = combine(verdict, definition.id, answer);
        if (verdict.kind === 'deny') return verdict;
      }
      return verdict;
    },
  };
}

/** The payload with what earlier hooks made of its member. */
const tell = (payload: HookPayload, key: string, { value }: HookVerdict): HookPayload =>
  value === undefined ? payload : { ...payload, [key]: value };

interface Call {
  readonly point: HookPoint;
  readonly payload: HookPayload;
  readonly signal: AbortSignal;
  readonly options: HooksOptions;
}

/** A hook that fails: to enforce, that is a no; to observe, it is told and nothing else. */
async function answerOf(definition: HookDefinition, call: Call): Promise<Answer> {
  const { point, payload, options } = call;
  try {
    return parseAnswer(await said(definition, call), point);
  } catch (error) {
    const why = `The hook "${definition.id}" failed: ${messageOf(error)}.`;
    if (definition.mode === 'enforce') return { result: 'deny', why };
    options.onProblem(payload.run_id, why);
    return { result: 'continue' };
  }
}

function said(
  { run, timeoutMs }: HookDefinition,
  { point, payload, signal, options }: Call,
): Promise<unknown> {
  if ('module' in run) return runModule(run.module, { point, payload, timeoutMs, signal });
  const input = `${JSON.stringify({ point, ...payload })}\n`;
  return runCommand(run.command, { input, timeoutMs, signal, ...options });
}

function combine(before: HookVerdict, hook: string, answer: Answer): HookVerdict {
  switch (answer.result) {
    case 'continue':
      return before;
    case 'deny':
      return { ...before, kind: 'deny', hook, why: answer.why };
    case 'ask':
      return before.kind === 'ask' ? before : { ...before, kind: 'ask', hook, why: answer.why };
    case 'modify':
      return before.kind === 'ask'
        ? { ...before, value: answer.value }
        : { ...before, kind: 'modify', hook, why: answer.why, value: answer.value };
    case 'inject':
      return { ...before, injected: [...before.injected, { by: hook, text: answer.text }] };
  }
}

function matcherOf({ tools, operations, capsules }: HookDefinition) {
  const isAny = (globs: readonly string[] | undefined) => {
    if (globs === undefined) return () => true;
    const matches = picomatch([...globs]);
    return (name: unknown) => typeof name === 'string' && matches(name);
  };
  const fits = { tool: isAny(tools), operation: isAny(operations), capsule: isAny(capsules) };
  return ({ tool, operation, capsule_id }: HookPayload): boolean =>
    fits.tool(tool) && fits.operation(operation) && fits.capsule(capsule_id);
}
