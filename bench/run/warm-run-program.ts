import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AppContext } from '../../src/app/context/open-context.ts';
import { openContext } from '../../src/app/context/open-context.ts';
import { startRun } from '../../src/app/runs/start/start-run.ts';
import { runCapsuleInMemory } from '../../test/capsules/in-memory.ts';
import { startModelServer } from '../../test/model-server/model-server.ts';
import type { Script } from '../../test/model-server/script.ts';
import { repetitions } from '../measure/row.ts';

const WARM_UP = 30;
const ROUNDS = repetitions(9, 1);
const RUNS = 20;

const task = 'Read notes.txt';

const usage = { input_tokens: 2_000, output_tokens: 20 };

/** Requests one file, then ends. It reports its own usage, so that the server need not count. */
const script: Script = ({ messages }) => ({
  usage,
  tool_calls: [
    messages.at(-1)?.role === 'tool'
      ? { name: 'final', args: { status: 'ok', result: 'It is read.' } }
      : { name: 'file_io', args: { operation: 'read', path: 'notes.txt' } },
  ],
});

/** The baseline: two requests with one file read in between. */
function createPlainLoop(baseUrl: string, folder: string) {
  const agent = new Agent({ keepAlive: true });
  const post = (messages: readonly object[]) =>
    new Promise<{ choices: [{ message: object }] }>((resolve, reject) => {
      const body = JSON.stringify({ model: 'scripted-model', messages });
      const headers = { 'content-type': 'application/json', 'content-length': body.length };
      const call = request(`${baseUrl}/chat/completions`, { method: 'POST', agent, headers });
      call.on('error', reject);
      call.on('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString('utf8'))));
      });
      call.end(body);
    });
  return {
    async run() {
      const messages: object[] = [{ role: 'user', content: task }];
      const first = await post(messages);
      const content = readFileSync(join(folder, 'notes.txt'), 'utf8');
      messages.push(first.choices[0].message, { role: 'tool', tool_call_id: 'call_0', content });
      await post(messages);
    },
    close: () => agent.destroy(),
  };
}

function openProduct(baseUrl: string, folder: string): Promise<AppContext> {
  return openContext({
    env: {
      CAPSTAN_HOME: join(folder, '.home'),
      CAPSTAN_BASE_URL: baseUrl,
      CAPSTAN_MODEL_BALANCED: 'scripted-model',
      OPENAI_API_KEY: 'sk-Zq7RkW2mVx9TbN4cJd8LsPf3',
    },
    cwd: folder,
  });
}

async function runOnce(context: AppContext): Promise<void> {
  const { finished } = await startRun(context, {
    task,
    capsule: 'file-clerk',
    settings: { provider: 'openai' },
    runCapsule: (options) => runCapsuleInMemory(options),
  });
  const run = await finished;
  if (run.status !== 'completed') throw new Error(`The run ended ${run.status}: ${run.reason}`);
}

/** Milliseconds of one of `RUNS` consecutive runs. */
async function timed(run: () => Promise<void>): Promise<number> {
  const began = performance.now();
  for (let at = 0; at < RUNS; at++) await run();
  return (performance.now() - began) / RUNS;
}

const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? NaN;

async function main() {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-bench-'));
  writeFileSync(join(folder, 'notes.txt'), 'one\ntwo\nthree\n');
  const server = await startModelServer({ vendor: 'openai', script, isRecording: false });
  const app = await openProduct(server.baseUrl, folder);
  const loop = createPlainLoop(server.baseUrl, folder);
  const ours = () => runOnce(app);
  try {
    for (let at = 0; at < WARM_UP; at++) {
      await loop.run();
      await ours();
    }
    const times = { loop: [] as number[], ours: [] as number[] };
    for (let round = 0; round < ROUNDS; round++) {
      times.loop.push(await timed(loop.run));
      times.ours.push(await timed(ours));
    }
    console.log(JSON.stringify({ loopMs: median(times.loop), oursMs: median(times.ours) }));
  } finally {
    loop.close();
    await app.close();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

void main();
