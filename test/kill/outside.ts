import { createServer, request as forward, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startModelServer } from '../model-server/model-server.ts';
import type { ScriptedRequest } from '../model-server/script.ts';

/** Irreversible effects of a run, counted outside of it: entries of a ledger, and paid calls of a model. */
export interface Outside {
  /** The folder of the books of that name. */
  ledgerOf(books: string): string;
  /** The entries that arrived, in their order. */
  entriesOf(books: string): readonly string[];
  /** How many calls of the model were made for these books. */
  callsOf(books: string): number;
  /** Remembers both counts. Returns what makes them so again. */
  keep(books: string): () => void;
  /** The address of a proxy in front of a priced model. */
  readonly proxy: string;
  close(): Promise<void>;
}

/** The model's own address: no loopback, so that its calls cost something. */
export const MODEL_URL = 'http://models.example/v1';

/** By the list: 100 tokens in and 20 out of gpt-4o. */
export const CALL_MICRO_USD = 100 * 2.5 + 20 * 10;

export async function openOutside(): Promise<Outside> {
  const entries = new Map<string, string[]>();
  const calls = new Map<string, number>();
  const ledger = await listen((request, response) => {
    const [, books = '', entry = ''] = (request.url ?? '').split('/');
    request.resume().on('end', () => {
      entries.set(books, [...(entries.get(books) ?? []), entry]);
      response.writeHead(201).end();
    });
  });
  const ledgerUrl = addressOf(ledger);
  const models = await startModelServer({
    vendor: 'openai',
    isRecording: false,
    script(request) {
      const books = booksIn(request);
      calls.set(books, (calls.get(books) ?? 0) + 1);
      const usage = { input_tokens: 100, output_tokens: 20 };
      return { ...answerTo(request, `${ledgerUrl}/${books}`), usage };
    },
  });
  const proxy = await listen((request, response) => {
    const { pathname } = new URL(request.url ?? '');
    const { method, headers } = request;
    const options = { method, headers, agent: false };
    const onward = forward(`${models.origin}${pathname}`, options, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  return {
    ledgerOf: (books) => `${ledgerUrl}/${books}`,
    entriesOf: (books) => entries.get(books) ?? [],
    callsOf: (books) => calls.get(books) ?? 0,
    keep(books) {
      const [arrived, made] = [entries.get(books) ?? [], calls.get(books) ?? 0];
      return () => {
        entries.set(books, arrived);
        calls.set(books, made);
      };
    },
    proxy: addressOf(proxy),
    async close() {
      await Promise.all([close(proxy), close(ledger)]);
      await models.close();
    },
  };
}

const booksIn = ({ messages }: ScriptedRequest): string =>
  /http:\/\/127\.0\.0\.1:\d+\/([\w-]+)/.exec(JSON.stringify(messages))?.[1] ?? '';

function answerTo({ responseName, messages, tools }: ScriptedRequest, books: string) {
  const isSong = messages.at(-1)?.content.includes(SONG) === true;
  switch (responseName) {
    case 'plan':
      return { json: planOf(books) };
    case 'judge':
      return { json: { choice: isSong ? null : 'ledger-clerk', why: 'It keeps books.' } };
    case 'profile':
      return { json: { id: MADE, name: 'Shanty singer', description: 'Sings of the sea.' } };
    case 'answer':
      return { json: { answer: 'The books are kept.' } };
    default:
      return tools.length > 0 ? FINAL : { text: 'four' };
  }
}

/** The capsule that the run makes for the step which no other one fits. */
export const MADE = 'shanty-singer';
const SONG = 'Sing a shanty';
const FINAL = { tool_calls: [{ name: 'final', args: { status: 'ok', result: 'Heave ho.' } }] };

/** Two steps in a row, and two parallel ones. */
const planOf = (books: string) => ({
  discovery: [],
  execution: [
    { id: 's1', description: `Keep the books: the opening entries of ${books} .`, depends_on: [] },
    {
      id: 's2',
      description: `Keep the books: the closing entries of ${books} .`,
      depends_on: ['s1'],
    },
    { id: 's3', description: `Keep the books: the counting entries of ${books} .`, depends_on: [] },
    { id: 's4', description: `${SONG} about storms at sea.`, depends_on: [] },
  ],
});

async function listen(listener: RequestListener): Promise<Server> {
  // A lost connection is a call that may have been made. On a busy machine, Node's default closes one just as it is used again.
  const server = createServer({ keepAliveTimeout: 120_000 }, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

const addressOf = (server: Server): string =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
