import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IntentReply } from '../../src/contract/wire/coordinator-messages.ts';
import type { Intent } from '../../src/contract/wire/protocol.ts';
import { noSecrets } from '../../src/policy/secrets/redact.ts';
import { runCapsule } from '../../src/runtime/runner.ts';
import { bare } from '../../src/runtime/sandbox/levels/bare.ts';
import { repetitions } from '../measure/row.ts';

const ROUNDS = repetitions(11, 1);
const TRIPS = 2_000;
const WARM_UP = 500;

/** The same client for both: sends 150 bytes, waits for its line, sends the next. */
export const asker = `
let left = 0, count = 0, began = 0n, held = '';
const ask = () => process.stdout.write(JSON.stringify({ type: 'tool_call_intent', id: 'i' + ++count, tool: 'file_io',
  args: { operation: 'read', path: 'notes/' + count + '.txt', max_bytes: 4096 }, reason: 'to count lines' }) + '\\n');
process.stdin.on('data', (chunk) => {
  held += chunk;
  for (let end = held.indexOf('\\n'); end !== -1; end = held.indexOf('\\n')) {
    take(JSON.parse(held.slice(0, end)));
    held = held.slice(end + 1);
  }
});
const take = () => {
  if (count === ${WARM_UP}) began = process.hrtime.bigint();
  if (count < ${WARM_UP + TRIPS}) return ask();
  const us = Number(process.hrtime.bigint() - began) / ${TRIPS * 1000};
  process.stdout.write(JSON.stringify({ type: 'agent_response', status: 'ok', result: us }) + '\\n');
};
process.stdin.on('end', () => process.exit(0));
`;

/** The reply to every intent. */
export const reply = { type: 'tool_call_result', ok: true, result: 'content of the file' } as const;

/** Newline-delimited JSON only: no limit, no validation, no id check. */
export function measureRaw(dir: string): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['asker.cjs'], { cwd: dir, env: {} });
    let held: Buffer = Buffer.alloc(0);
    child.stdout.on('data', (chunk: Buffer) => {
      held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
      for (let end = held.indexOf(10); end !== -1; end = held.indexOf(10)) {
        const message = JSON.parse(held.toString('utf8', 0, end));
        held = held.subarray(end + 1);
        if (message.type === 'agent_response') {
          child.stdin.end();
          resolve(message.result);
        } else child.stdin.write(`${JSON.stringify({ ...reply, id: message.id })}\n`);
      }
    });
    child.stdin.write('{"type":"coordinator_request"}\n');
  });
}

/** The time of one round trip through the runner, in microseconds, if each intent gets this reply. */
export async function measureOurs(
  dir: string,
  onIntent: (intent: Intent) => Promise<IntentReply> = async () => reply,
): Promise<number> {
  const { result } = await runCapsule({
    clean: noSecrets.redact,
    capsule: 'asker',
    dir,
    entrypoint: ['node', 'asker.cjs'],
    sdkPath: '',
    request: {
      type: 'coordinator_request',
      protocol: 1,
      session_id: 's',
      run_id: 'r',
      subtask_id: 's1',
      attempt: 1,
      task: 'ask',
      context: { run_task: 'ask', memory: [], results: [] },
      artifacts: [],
      config: {
        capsule_id: 'asker',
        task_kind: 'ask',
        mode: 'handler',
        system_prompt: '',
        tool_registry: [],
        model: false,
        max_steps: 1,
      },
    },
    onIntent,
    sandbox: bare,
    timeoutMs: 60_000,
    signal: new AbortController().signal,
  });
  return Number(result);
}

export const median = (values: number[]): number =>
  values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/**
 * One round trip of 150 bytes, from the same child in both cases: medians of interleaved rounds, in microseconds. Only
 * meaningful if both processes share a core: run it under `taskset -c 1`.
 */
export async function measureRoundTrip(): Promise<{ raw: number; ours: number }> {
  const dir = await mkdtemp(join(tmpdir(), 'capstan-bench-'));
  writeFileSync(join(dir, 'asker.cjs'), asker);
  const raw: number[] = [];
  const ours: number[] = [];
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      raw.push(await measureRaw(dir));
      ours.push(await measureOurs(dir));
    }
  } finally {
    rmSync(dir, { recursive: true });
  }
  return { raw: median(raw), ours: median(ours) };
}
