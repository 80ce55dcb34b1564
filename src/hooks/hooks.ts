import { createRequire } from 'node:module';
import type { HookText } from '../config/files/hooks-file.ts';
import { AppError, messageOf } from '../contract/errors.ts';
import { printable } from '../contract/text/printable.ts';
import { compileGlob } from '../platform/globs/glob.ts';
import { asRecord } from '../platform/text/parse-json.ts';
import { withDeadline } from '../platform/with-deadline.ts';
import {
  type Answer,
  answersAt,
  CONTINUE,
  type HookPayload,
  type HookPoint,
  type HookVerdict,
  parseAnswer,
} from './hook.ts';
import { runCommand } from './run-command.ts';

export interface Hooks {
  /** Whether a point has hooks. If not, no payload needs to be built. */
  has(point: HookPoint): boolean;
  /**
   * Calls the hooks of a point one after the other, in the order of the file. The first `deny` ends it; else any `ask`
   * applies; the next hook gets the result of each `modify`. A failure counts as an answer, too.
   *
   * @param key The field of the payload that `modify` replaces.
   * @throws AppError `CANCELLED` if the signal aborted at a point that may still deny.
   */
  run(point: HookPoint, payload: HookPayload, options: RunOptions): Promise<HookVerdict>;
}

interface RunOptions {
  readonly key?: string;
  readonly signal: AbortSignal;
}

interface HooksOptions {
  readonly searchPath: string;
  readonly home: string;
  /** Redacts secrets in a payload. */
  clean<T>(payload: T): T;
  /** Called when an observing hook fails, which has no other effect. */
  onProblem(runId: string, text: string): void;
}

export const noHooks: Hooks = { has: () => false, run: async () => CONTINUE };

/** Creates the user's hooks. */
export function createHooks(definitions: readonly HookText[], options: HooksOptions): Hooks {
  const hooks = definitions.map((definition) => ({ definition, fits: matcherOf(definition) }));
  const hooksAt = (point: HookPoint) =>
    hooks.filter(({ definition }) => definition.on.includes(point));
  return {
    has: (point) => hooksAt(point).length > 0,
    async run(point, payload, { key = 'value', signal }) {
      let verdict = CONTINUE;
      for (const { definition } of hooksAt(point).filter(({ fits }) => fits(payload))) {
        // With the field as modified by earlier hooks.
        const { value } = verdict;
        const current = value === undefined ? payload : { ...payload, [key]: value };
        const call = { point, payload: current, key, signal, options };
        const answer = await answerOf(definition, call);
        if (definition.mode === 'enforce') verdict = combine(verdict, definition.id, answer);
        if (verdict.kind === 'deny') return verdict;
      }
      return verdict;
    },
  };
}

interface Call {
  readonly point: HookPoint;
  readonly payload: HookPayload;
  readonly key: string;
  readonly signal: AbortSignal;
  readonly options: HooksOptions;
}

/**
 * Calls a hook. A failure in the mode `enforce` is a denial, if the point can still deny; otherwise it is only reported.
 *
 * @throws AppError `CANCELLED` if the caller ended first, which is not a failure of the hook.
 */
async function answerOf(definition: HookText, call: Call): Promise<Answer> {
  const { point, payload, key, signal, options } = call;
  const mayDeny = answersAt[point].includes('deny');
  try {
    const sent = boundPayload(options.clean(payload));
    const answer = parseAnswer(await callHook(definition, { ...call, payload: sent }), point);
    if (answer.result === 'modify' && isCut(sent, key)) {
      throw new Error(`it changed "${key}", which was truncated in its payload`);
    }
    return answer;
  } catch (error) {
    if (signal.aborted && mayDeny) throw new AppError('CANCELLED', { what: 'A call of a hook' });
    const why = oneLine(messageOf(error));
    if (definition.mode === 'enforce' && mayDeny)
      return { result: 'deny', why: `It failed: ${why}` };
    options.onProblem(payload.run_id, `The hook "${definition.id}" failed: ${why}`);
    return { result: 'continue' };
  }
}

/** Maximum length of a text and of a payload for a hook, in characters. */
const MAX_TEXT_CHARS = 256 * 1024;
const MAX_PAYLOAD_CHARS = 1024 * 1024;

/**
 * A payload within the size limit. Longer texts are truncated and state their length; `cut` then names the fields
 * that are not complete, so that a hook can deny them.
 */
function boundPayload(payload: HookPayload): HookPayload {
  const whole = JSON.stringify(payload).length;
  if (whole <= MAX_TEXT_CHARS) return payload;
  const cut: string[] = [];
  const bounded: Record<string, unknown> = {};
  let room = MAX_PAYLOAD_CHARS;
  for (const [name, value] of Object.entries(payload)) {
    if (value === undefined) continue;
    const full = JSON.stringify(value);
    const told = JSON.stringify(value, shorten);
    const fits = told.length <= room;
    bounded[name] = fits ? JSON.parse(told) : `[omitted: ${full.length} characters]`;
    room -= fits ? told.length : 0;
    if (!fits || told !== full) cut.push(name);
  }
  return { ...bounded, run_id: payload.run_id, ...(cut.length > 0 && { cut }) };
}

const shorten = (_name: string, value: unknown): unknown =>
  typeof value === 'string' && value.length > MAX_TEXT_CHARS
    ? `${value.slice(0, MAX_TEXT_CHARS)}… [cut: ${value.length} characters in all]`
    : value;

const isCut = ({ cut }: HookPayload, key: string): boolean =>
  Array.isArray(cut) && cut.includes(key);

const MAX_WHY_CHARS = 1_000;

/** Hook output is untrusted text. */
const oneLine = (text: string): string =>
  `${printable(text, MAX_WHY_CHARS)}.`.replace(/\.\.$/, '.');

/** @throws Error with the reason on one line if there is no answer, also at the deadline. */
function callHook(
  { command, module, timeout_ms: timeoutMs }: HookText,
  { point, payload, signal, options }: Call,
): Promise<string | undefined> {
  return withDeadline(signal, timeoutMs, (ending) => {
    const stopped = new Promise<never>((_, reject) => {
      const late = `it gave no answer within ${timeoutMs} ms`;
      const stop = () => reject(new Error(signal.aborted ? 'the run ended first' : late));
      if (ending.aborted) stop();
      ending.addEventListener('abort', stop);
    });
    const input = `${JSON.stringify({ point, ...payload })}\n`;
    const answer =
      command === undefined
        ? runModule(module ?? '', point, payload)
        : runCommand(command, { input, ending, ...options });
    return Promise.race([answer, stopped]);
  });
}

/** By `require`, which also loads ES modules: code that comes from the code cache has no loader for `import()`. */
const load = createRequire(import.meta.url);

/**
 * Calls the function that the module exports under the name of the point. It runs in this process, with its permissions:
 * it can't be stopped.
 *
 * @returns Its answer as JSON; undefined if it returned nothing.
 */
async function runModule(path: string, point: HookPoint, payload: HookPayload) {
  const exported: unknown = load(path);
  const hook = asRecord(exported)[point] ?? asRecord(asRecord(exported)['default'])[point];
  if (typeof hook !== 'function') throw new Error(`it does not export a function ${point}`);
  const answer: unknown = await hook(structuredClone({ point, ...payload }));
  const text: string | undefined = JSON.stringify(answer);
  if (answer !== undefined && text === undefined)
    throw new Error(`its answer is invalid: a ${typeof answer}`);
  return text;
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

function matcherOf({ tools, operations, capsules }: HookText) {
  const isAny = (globs: readonly string[] | undefined) => {
    if (globs === undefined) return () => true;
    const all = globs.map(matcherOfName);
    return (name: unknown) => typeof name === 'string' && all.some((matches) => matches(name));
  };
  const fits = { tool: isAny(tools), operation: isAny(operations), capsule: isAny(capsules) };
  return ({ tool, operation, capsule_id }: HookPayload): boolean =>
    fits.tool(tool) && fits.operation(operation) && fits.capsule(capsule_id);
}

/** A glob with a leading `!` matches all other names. */
function matcherOfName(glob: string): (name: string) => boolean {
  if (!glob.startsWith('!')) return compileGlob(glob);
  const matches = compileGlob(glob.slice(1));
  return (name) => !matches(name);
}
