import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { failedWith, messageOf } from '../../contract/errors.ts';
import type { ChatRequest } from '../../contract/wire/chat.ts';
import type { CoordinatorRequest, IntentReply } from '../../contract/wire/coordinator-messages.ts';
import { errorReply } from '../../contract/wire/error-reply.ts';
import type { AgentResponse, Intent } from '../../contract/wire/protocol.ts';
import { makeTemporaryFolder } from '../../platform/files/temporary-folder.ts';
import { noSecrets } from '../../policy/secrets/redact.ts';
import type { Capsule } from '../../registry/capsule-store.ts';
import { findNamedFiles } from '../../registry/files/named-files.ts';
import type { TaskKind } from '../../registry/manifest/manifest.ts';
import { isShippedCode } from '../../registry/manifest/shipped-code.ts';
import type { TrialParts } from '../trials/run-trial.ts';

/** One attempt of a capsule against a scripted broker. */
export interface DryRun {
  readonly kind: TaskKind;
  readonly script: DryScript;
  /** Undefined if it gave none. */
  readonly response: AgentResponse | undefined;
  /** Why it gave no response: an AppError of the runner. */
  readonly error: unknown;
  /** The same in one line; empty if there is a response. */
  readonly problem: string;
  readonly intents: readonly Intent[];
  /** Lines that are not messages. */
  readonly noise: readonly string[];
  /** The end of its error output. */
  readonly stderr: string;
  readonly durationMs: number;
}

/** `agrees`: every request succeeds. `refuses`: every request is refused. `off_topic`: as `agrees`, with a task for nobody. */
export type DryScript = 'agrees' | 'refuses' | 'off_topic';

export interface DryRunParts extends Pick<TrialParts, 'runCapsule' | 'sdk' | 'tools'> {
  readonly signal: AbortSignal;
}

const TIMEOUT_MS = 10_000;
/** Further requests are refused, so that a capsule can't ask for ever. */
const MAX_INTENTS = 60;

/** Starts a capsule like a real attempt does, and answers by a script. Nothing is performed. */
export async function dryRun(
  capsule: Capsule,
  kind: TaskKind,
  script: DryScript,
  { runCapsule: run, sdk, tools, signal }: DryRunParts,
): Promise<DryRun> {
  const intents: Intent[] = [];
  const noise: string[] = [];
  const startedMs = performance.now();
  const request = requestFor(capsule, kind, script, tools);
  const dir = makeTemporaryFolder('check');
  const logFile = join(dir, 'stderr.log');
  let response: AgentResponse | undefined;
  let error: unknown;
  let stderr = '';
  try {
    response = await run({
      capsule: capsule.id,
      dir: capsule.dir,
      entrypoint: capsule.manifest.entrypoint,
      sdkPath: sdk,
      isShipped: isShippedCode(capsule),
      request,
      onIntent: async (intent) => {
        const index = intents.push(intent) - 1;
        // Replies out of order: they belong to requests by their ids.
        if (intent.id !== undefined) await pause(index % 2 === 0 ? 15 : 1);
        return answerBy(script, intent, index);
      },
      // Nothing of it is kept, and the capsule is sent no secret.
      clean: noSecrets.redact,
      onNoise: (text) => noise.push(text),
      logFile,
      timeoutMs: TIMEOUT_MS,
      signal,
    });
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    error = thrown;
  } finally {
    if (existsSync(logFile)) stderr = readFileSync(logFile, 'utf8');
    rmSync(dir, { recursive: true, force: true });
  }
  const durationMs = Math.round(performance.now() - startedMs);
  const problem = error === undefined ? '' : problemOf(error);
  return { kind, script, response, error, problem, intents, noise, stderr, durationMs };
}

/** A dry run has its own time limit. The message of the error names a setting, which does not change it. */
function problemOf(error: unknown): string {
  const isLate = failedWith(error, 'CAPSULE_TIMED_OUT');
  return isLate ? `no response within ${TIMEOUT_MS} ms` : (messageOf(error).split('\n')[0] ?? '');
}

/** A field that a later version might add. A capsule has to ignore it. */
const LATER = { x_from_a_later_version: true };

/** Nothing that a capsule could do, with the file that its own tasks name. */
export function offTopicTask({ examples }: TaskKind): string {
  const [file = 'notes.txt'] = examples.flatMap((example) => findNamedFiles(example).inputs);
  return `Book a flight to Lisbon for everyone in ${file}`;
}

function requestFor(
  { id, manifest }: Capsule,
  kind: TaskKind,
  script: DryScript,
  tools: DryRunParts['tools'],
): CoordinatorRequest {
  const own = kind.examples[0] ?? 'Say what you can do.';
  const task = script === 'off_topic' ? offTopicTask(kind) : own;
  const registry = [...tools.values()]
    .filter(({ name }) => Object.hasOwn(manifest.grants.tools, name))
    .map(({ name, description, parameters }) => ({ name, description, parameters }));
  return {
    ...LATER,
    type: 'coordinator_request',
    protocol: 1,
    session_id: 'check',
    run_id: 'check',
    subtask_id: 's1',
    attempt: 1,
    task,
    context: { run_task: task, memory: [], results: [] },
    artifacts: [],
    config: {
      capsule_id: id,
      task_kind: kind.name,
      mode: kind.mode,
      system_prompt: 'This is a dry run.',
      tool_registry: registry,
      model: kind.mode !== 'handler',
      max_steps: Math.min(kind.max_steps, 5),
      hint: kind.hint,
    },
  } as CoordinatorRequest;
}

function answerBy(script: DryScript, intent: Intent, index: number): IntentReply {
  if (script === 'refuses' || index >= MAX_INTENTS) {
    const error = { code: 'INTENT_DENIED', message: 'A dry run refuses this.' };
    return { ...errorReply(intent, error), ...LATER };
  }
  if (intent.type === 'tool_call_intent') {
    const result = plainResult(intent.args);
    return { type: 'tool_call_result', ok: true, result, origin: 'a dry run', ...LATER };
  }
  const { request } = intent;
  const page = { status: 200, headers: {}, body: '' };
  const response = request.kind === 'chat' ? chatAnswer(request) : page;
  const usage = { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1 };
  return { type: 'api_call_decision', approved: true, note: '', response, usage, ...LATER };
}

const plainResult = ({ path = 'a.txt' }: Readonly<Record<string, unknown>>) => ({
  path,
  content: 'one two three\n',
  bytes: 14,
  truncated: false,
  entries: [],
  matches: [],
  total: 0,
  columns: [],
  rows: [],
  exit_code: 0,
  stdout: '',
  stderr: '',
  text: 'one two three',
  status: 200,
});

/** First calls the first tool offered, then ends. */
function chatAnswer({ messages, tools = [] }: ChatRequest) {
  const base = { model: 'dry-run', text: '', finish: 'tool_calls' };
  const tool = tools.find(({ name }) => name !== 'final');
  const wasCalled = messages.some(({ role }) => role === 'tool');
  if (tool && !wasCalled)
    return { ...base, tool_calls: [{ id: 'c1', name: tool.name, args: { path: 'a.txt' } }] };
  const args = { status: 'ok', result: 'Done.' };
  if (tools.some(({ name }) => name === 'final'))
    return { ...base, tool_calls: [{ id: 'c2', name: 'final', args }] };
  return { ...base, text: 'Done.', tool_calls: [], finish: 'stop' };
}
