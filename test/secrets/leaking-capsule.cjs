// A capsule that repeats a secret in every place where a capsule can write something. Which places: by its task.
const { writeSync } = require('node:fs');
const { createInterface } = require('node:readline');

const secret = Buffer.from(process.argv[2], 'hex').toString('utf8');
const write = (text) => writeSync(1, `${text}\n`);
const send = (message) => write(JSON.stringify(message));
const call = (tool, args, fields) => send({ type: 'tool_call_intent', tool, args, ...fields });
const api = (request, fields) => send({ type: 'api_call_intent', request, ...fields });

const final = {
  type: 'agent_response',
  status: 'ok',
  result: { text: `Done with ${secret}.`, data: { [secret]: [secret, { deep: secret }] } },
  memory_updates: [{ text: `Remember ${secret}.` }],
  metrics: { [secret]: 1 },
  [secret]: secret,
};

/** Intents; each is answered before the final is sent. */
const intents = [
  () =>
    call('file_io', { operation: 'read', path: `${secret}.txt` }, { id: secret, reason: secret }),
  () => call('file_io', { operation: 'write', path: 'a.txt', content: secret }, { id: 'i2' }),
  () => call('file_io', { operation: 'read', path: 'a.txt', [secret]: secret }, { id: 'i3' }),
  () => call(secret, { [secret]: secret }, { id: 'i4' }),
  () => call('terminal', { argv: ['echo', secret], access: 'write' }, { id: 'i5', [secret]: 1 }),
  () =>
    call(
      'web_fetch',
      { url: `https://example.com/?q=${encodeURIComponent(secret)}` },
      { id: 'i6' },
    ),
  () => call('file_io', { operation: 'read', path: 'a.txt' }, { id: 'i7', reason: secret }),
  () =>
    api(
      {
        kind: 'chat',
        messages: [{ role: 'user', content: secret }],
        tools: [{ name: secret, description: secret, parameters: { [secret]: secret } }],
      },
      { id: 'i8', provider: secret, endpoint: secret, reason: secret },
    ),
  () =>
    api(
      {
        kind: 'http',
        service: secret,
        method: 'POST',
        path: `/${secret}`,
        headers: { [secret]: secret },
        body: secret,
      },
      { id: 'i9', provider: secret, endpoint: secret },
    ),
];

const noise = [secret, `${'x'.repeat(170)}${secret}`, Buffer.from(secret).toString('base64')];

const places = {
  everywhere(lines) {
    for (const text of noise) write(text);
    process.stderr.write(`${secret}\n${Buffer.from(secret).toString('base64')}\n`);
    send({ type: 'progress', text: secret, fraction: 0.5, [secret]: secret });
    for (const intent of intents) intent();
    let answered = 0;
    lines.on('line', () => {
      answered += 1;
      if (answered === intents.length) {
        send(final);
        write(secret);
        process.exit(0);
      }
    });
  },
  asks(lines) {
    const shown = { id: 'i1', reason: `because of ${secret}` };
    call('terminal', { argv: ['touch', 'made.txt'], access: 'write' }, shown);
    lines.on('line', () => {
      send(final);
      process.exit(0);
    });
  },
  error: () =>
    send({ ...final, status: 'error', result: { code: secret, message: secret, [secret]: 1 } }),
  text: () => send({ ...final, result: secret }),
  artifact: () => send({ ...final, artifacts: [{ path: `${secret}.txt` }] }),
  type: () => send({ type: secret }),
  longType: () => send({ type: `${'x'.repeat(50)}${secret}` }),
  field: () =>
    api({
      kind: 'http',
      service: 's',
      method: 'GET',
      path: '/',
      headers: { [`${'x'.repeat(70)}${secret}`]: 1 },
    }),
  metric: () => send({ ...final, metrics: { [secret]: secret } }),
  list: () => send([secret]),
  sameId() {
    for (const _ of [1, 2]) call('file_io', { operation: 'read', path: 'a.txt' }, { id: secret });
  },
  crash() {
    process.stderr.write(`${secret}\n${'x'.repeat(3_980)}`);
    throw new Error(secret);
  },
  // The log keeps the last 64 KiB of a stderr: here they begin within the secret.
  stderr() {
    const all = `${secret}\n`.repeat(Math.ceil(100_000 / (secret.length + 1)));
    writeSync(2, all);
    writeSync(2, 'x'.repeat(65_536 - 20));
    send(final);
    process.exit(0);
  },
  babble() {
    for (let line = 0; line <= 101; line += 1) write(`${line} ${secret}`);
  },
};

const lines = createInterface({ input: process.stdin });
lines.once('line', (line) => {
  const [, place] = /leak (\w+)/.exec(JSON.parse(line).task);
  places[place](lines);
});
