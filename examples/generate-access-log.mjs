#!/usr/bin/env node
/**
 * Writes a web server's access log to stdout: always the same for the same options.
 *
 *   node examples/generate-access-log.mjs > examples/access.log
 *   node examples/generate-access-log.mjs --lines 20000 --seed 7 --format json > big.jsonl
 *
 * Options: --lines N (default 6000), --seed N (default 1), --format combined | json | pairs | csv (default combined).
 *
 * `combined` is Apache's combined log format with one field more at the end of the line: `duration_ms=132` says how long the
 * request took, in milliseconds. The other formats have the same fields under the names time, client, method, path, status,
 * bytes, duration_ms. Times are UTC.
 */
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

/** Requests that occur: how often, how long they usually take in ms, how often they fail and with what. */
const endpoints = [
  { method: 'GET', path: '/', weight: 14, ms: 25, fails: 0.002, status: 500 },
  { method: 'GET', path: '/api/products', weight: 16, ms: 60, fails: 0.012, status: 500 },
  { method: 'GET', path: '/api/products/:id', weight: 20, ms: 40, fails: 0.05, status: 404 },
  {
    method: 'GET',
    path: '/api/search',
    query: true,
    weight: 12,
    ms: 180,
    fails: 0.03,
    status: 503,
  },
  { method: 'POST', path: '/api/cart/items', weight: 8, ms: 75, fails: 0.02, status: 400 },
  { method: 'GET', path: '/api/orders/:id', weight: 9, ms: 90, fails: 0.035, status: 404 },
  { method: 'POST', path: '/api/orders', weight: 5, ms: 240, fails: 0.06, status: 502 },
  { method: 'POST', path: '/api/checkout/:uuid', weight: 3, ms: 420, fails: 0.08, status: 504 },
  { method: 'POST', path: '/api/login', weight: 6, ms: 110, fails: 0.13, status: 401 },
  { method: 'PUT', path: '/api/users/:id', weight: 2, ms: 70, fails: 0.04, status: 403 },
  { method: 'DELETE', path: '/api/cart/items/:id', weight: 2, ms: 45, fails: 0.03, status: 404 },
  { method: 'GET', path: '/reports/monthly', weight: 1, ms: 2_600, fails: 0.1, status: 500 },
  { method: 'GET', path: '/favicon.ico', weight: 2, ms: 4, fails: 0, status: 404 },
];
const agents = [
  'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
  'curl/8.5.0',
  'ExampleBot/2.1 (+https://bot.example/about)',
];
const words = ['shoes', 'lamp', 'desk', 'green+tea', 'usb+cable', 'rain+coat', 'mug', 'notebook'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const START_MS = Date.UTC(2026, 2, 2, 6, 0, 0);

/** Mulberry32: small, seeded, the same on every machine. Gives numbers from 0 to below 1. */
function createRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The requests of a log, in the order of time. */
export function* generateRequests({ lines = 6_000, seed = 1 } = {}) {
  const random = createRandom(seed);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const clients = Array.from(
    { length: 60 },
    () => `10.${int(random, 256)}.${int(random, 256)}.${1 + int(random, 254)}`,
  );
  let timeMs = START_MS;
  for (let line = 0; line < lines; line += 1) {
    timeMs += Math.round(-Math.log(1 - random()) * 40_000);
    const endpoint = weighted(random);
    const failed = random() < endpoint.fails;
    yield {
      timeMs,
      client: clients[Math.floor(random() ** 2 * clients.length)],
      method: endpoint.method,
      path: fill(endpoint, random, pick),
      status: failed ? endpoint.status : success(endpoint, random),
      bytes: endpoint.method === 'DELETE' ? 0 : Math.round(200 + random() ** 3 * 60_000),
      duration_ms: duration(endpoint, failed, random),
      referrer: random() < 0.5 ? '-' : 'https://shop.example/',
      agent: pick(agents),
    };
  }
}

const int = (random, below) => Math.floor(random() * below);

function weighted(random) {
  const total = endpoints.reduce((sum, { weight }) => sum + weight, 0);
  let left = random() * total;
  for (const endpoint of endpoints) {
    left -= endpoint.weight;
    if (left < 0) return endpoint;
  }
  return endpoints[0];
}

function fill({ path, query }, random, pick) {
  const filled = path
    .replace(':id', () => String(1 + int(random, 400)))
    .replace(':uuid', () => uuid(random));
  return query ? `${filled}?q=${pick(words)}&page=${1 + int(random, 5)}` : filled;
}

function uuid(random) {
  const hex = Array.from({ length: 32 }, () => int(random, 16).toString(16)).join('');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-');
}

function success({ method, path }, random) {
  if (method === 'DELETE') return 204;
  if (method === 'POST' && path !== '/api/login') return 201;
  return method === 'GET' && random() < 0.08 ? 304 : 200;
}

/** Log-normal around the usual time; a time-out takes long. */
function duration({ ms, status }, failed, random) {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const usual = ms * Math.exp(normal * 0.6);
  return Math.max(1, Math.round(failed && status === 504 ? 8_000 + usual * 2 : usual));
}

const two = (number) => String(number).padStart(2, '0');

function apacheTime(timeMs) {
  const time = new Date(timeMs);
  const day = `${two(time.getUTCDate())}/${months[time.getUTCMonth()]}/${time.getUTCFullYear()}`;
  return `${day}:${time.toISOString().slice(11, 19)} +0000`;
}

const isoTime = (timeMs) => new Date(timeMs).toISOString().replace('.000', '');

/** One line per request; `csv` has a header. */
const formats = {
  combined: (r) =>
    `${r.client} - - [${apacheTime(r.timeMs)}] "${r.method} ${r.path} HTTP/1.1" ${r.status} ${r.bytes} "${r.referrer}" "${r.agent}" duration_ms=${r.duration_ms}`,
  json: ({ timeMs, client, method, path, status, bytes, duration_ms }) =>
    JSON.stringify({ time: isoTime(timeMs), client, method, path, status, bytes, duration_ms }),
  pairs: (r) =>
    `time=${isoTime(r.timeMs)} client=${r.client} method=${r.method} path="${r.path}" status=${r.status} bytes=${r.bytes} duration_ms=${r.duration_ms}`,
  csv: (r) =>
    [isoTime(r.timeMs), r.client, r.method, r.path, r.status, r.bytes, r.duration_ms].join(','),
};

/** A whole log as text. */
export function generateLog({ lines = 6_000, seed = 1, format = 'combined' } = {}) {
  if (!Object.hasOwn(formats, format)) {
    throw new RangeError(
      `--format is "${format}"; it must be one of ${Object.keys(formats).join(', ')}`,
    );
  }
  const header = format === 'csv' ? ['time,client,method,path,status,bytes,duration_ms'] : [];
  const body = Array.from(generateRequests({ lines, seed }), formats[format]);
  return `${[...header, ...body].join('\n')}\n`;
}

function wholeNumber(name, text) {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new RangeError(`--${name} is "${text}"; it must be a whole number above 0`);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { values } = parseArgs({
    options: {
      lines: { type: 'string', default: '6000' },
      seed: { type: 'string', default: '1' },
      format: { type: 'string', default: 'combined' },
    },
  });
  const { format } = values;
  process.stdout.write(
    generateLog({
      lines: wholeNumber('lines', values.lines),
      seed: wholeNumber('seed', values.seed),
      format,
    }),
  );
}
