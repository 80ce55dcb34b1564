import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepDeltas } from '../../src/app/wiring/records/keep-events.ts';
import { createBroker } from '../../src/broker/answer.ts';
import type { ChatMessage, ChatRequest } from '../../src/contract/wire/chat.ts';
import { createDeltaRows } from '../../src/coordinator/events/delta-rows.ts';
import { createProvider } from '../../src/llm/providers/openai.ts';
import { type BareCommits, openBareCommits } from '../measure/bare-commits.ts';
import { openRealBroker } from '../measure/real-broker.ts';
import { median } from '../pipe/round-trip.ts';

const [origin = '', rounds = '300'] = process.argv.slice(2);
const WARM_UP = 100;

/** A task, and 19 turns of a conversation with tools. */
const messages: ChatMessage[] = [
  { role: 'system', content: 'You are careful. '.repeat(200) },
  { role: 'user', content: 'Read the files.' },
  ...Array.from({ length: 9 }, (_, at): ChatMessage[] => [
    {
      role: 'assistant',
      content: 'Reading on.',
      tool_calls: [{ id: `call_${at}`, name: 'file_io', args: { path: `file-${at}.txt` } }],
    },
    { role: 'tool', tool_call_id: `call_${at}`, content: 'A line of text.\n'.repeat(100) },
  ]).flat(),
];
const parameters = { type: 'object', properties: { path: { type: 'string' } } };
const tools = [{ name: 'file_io', description: 'Reads files.', parameters }];

/** The same exchange without Capstan, on a persistent connection. */
function exchange(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    const request = httpRequest(
      `${origin}/v1/chat/completions`,
      { method: 'POST', headers, agent },
      (answer) => {
        let body = '';
        answer.setEncoding('utf8');
        answer.on('data', (part) => {
          body += part;
        });
        answer.on('end', () => resolve(body));
      },
    );
    request.on('error', reject);
    request.end(text);
  });
}
const agent = new Agent({ keepAlive: true });

type Timed = 'bare' | 'rows' | 'provider' | 'brokered';

const signal = new AbortController().signal;
const hint = 'balanced' as const;

async function timed(into: number[], work: () => Promise<unknown>): Promise<void> {
  const began = performance.now();
  await work();
  into.push(performance.now() - began);
}

/**
 * Milliseconds of one exchange: bare, by the provider alone, and brokered; of a free server or of one that is paid. A paid
 * one needs two synced commits: `rows` is the time of both with the same rows.
 */
async function measure(isPaid: boolean) {
  const dir = mkdtempSync(join(tmpdir(), 'capstan-bench-'));
  const models = { fast: 'gpt-4o', balanced: 'gpt-4o', best: 'gpt-4o' };
  const opened = createProvider({ baseUrl: `${origin}/v1`, models });
  const provider = isPaid ? { ...opened, origin: 'https://api.openai.com' } : opened;
  const { db, parts, scopeOf } = await openRealBroker(dir, [], { provider });
  const changes = { notify: () => {} } as Parameters<typeof keepDeltas>[1]['changes'];
  keepDeltas(parts.events, { journal: parts.journal, changes, deltas: createDeltaRows(db) });
  const broker = createBroker(parts);
  const scope = scopeOf();
  const times: Record<Timed, number[]> = { bare: [], rows: [], provider: [], brokered: [] };
  let commits: BareCommits | undefined;
  const brokered = async (request: ChatRequest) => {
    const intent = { type: 'api_call_intent', provider: '', endpoint: '', reason: '' } as const;
    const reply = await broker.answer({ ...intent, request }, scope);
    if (!('approved' in reply) || reply.error) throw new Error(JSON.stringify(reply));
  };
  for (let round = 0; round < WARM_UP + Number(rounds); round += 1) {
    if (round === WARM_UP) for (const list of Object.values(times)) list.length = 0;
    // Each request differs, as in a conversation.
    const own: ChatMessage[] = [...messages, { role: 'user', content: `Turn ${round}.` }];
    const body = { model: 'gpt-4o', messages: own, tools, stream: true, max_tokens: 8_192 };
    await timed(times.bare, () => exchange(JSON.stringify(body)));
    await timed(times.rows, async () => commits?.commitRows());
    const request = { kind: 'chat', messages: own, tools, hint } as const;
    await timed(times.provider, () => provider.chat(request, signal, () => {}));
    await timed(times.brokered, () => brokered(request));
    if (isPaid) commits ??= openBareCommits(join(dir, 'bare.db'), db);
  }
  commits?.close();
  parts.journal.flush();
  db.close();
  opened.close();
  rmSync(dir, { recursive: true });
  return {
    bare: median(times.bare),
    rows: median(times.rows),
    provider: median(times.provider),
    brokered: median(times.brokered),
  };
}

async function main() {
  console.log(JSON.stringify({ free: await measure(false), paid: await measure(true) }));
  agent.destroy();
}

void main();
