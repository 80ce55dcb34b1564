import type { IncomingMessage } from 'node:http';
import { type Problem, problem } from './problem.ts';

/** The facts of a request that are checked first. */
export interface GuardFacts {
  /** `127.0.0.1:7717`. */
  readonly host: string;
  /** Whether the route answers without a token, or the request has one. */
  readonly isAllowed: boolean;
}

/** Node keeps only the first of several. */
function hasSingleHost({ rawHeaders }: IncomingMessage): boolean {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') count += 1;
  return count === 1;
}

/** The reason to refuse a request; undefined if there is none. */
export function refusalOf(
  request: IncomingMessage,
  { host, isAllowed }: GuardFacts,
): Problem | undefined {
  const { headers, method = 'GET' } = request;
  if (headers.host !== host || !hasSingleHost(request))
    return problem(421, 'HOST', `This server answers to ${host} only.`);
  if (isForeign(request, host))
    return problem(403, 'ORIGIN', 'Pages of other origins can not use this server.');
  if (hasBody(request) && !/^application\/json(?:;|$)/.test(headers['content-type'] ?? ''))
    return problem(415, 'CONTENT_TYPE', `Send ${method} bodies as application/json.`);
  return isAllowed
    ? undefined
    : problem(401, 'TOKEN', 'Send a token of this server: Authorization: Bearer ….');
}

/** The token that a request carries. */
export const tokenOf = ({ headers }: IncomingMessage): string | undefined =>
  /^Bearer ([\w-]{20,100})$/.exec(headers.authorization ?? '')?.[1];

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

function isForeign(request: IncomingMessage, host: string): boolean {
  const { origin, 'sec-fetch-site': site = 'none' } = request.headers;
  if (origin !== undefined && origin !== `http://${host}`) return true;
  return site !== 'same-origin' && site !== 'none' && !isArrival(request);
}

/** A tab that a link elsewhere, such as the file of `capstan serve`, leads to the start page, which contains no data. */
const isArrival = ({ method, url, headers }: IncomingMessage): boolean =>
  method === 'GET' &&
  url === '/' &&
  headers['sec-fetch-mode'] === 'navigate' &&
  headers['sec-fetch-dest'] === 'document';

/** Whether one more request is within the limit. A bucket of `burst` requests that fills at `perSecond`. */
export function createRateLimit(
  { burst, perSecond }: { readonly burst: number; readonly perSecond: number },
  nowMs: () => number = () => performance.now(),
): () => boolean {
  let left = burst;
  let lastMs = nowMs();
  return () => {
    const at = nowMs();
    left = Math.min(burst, left + ((at - lastMs) / 1000) * perSecond);
    lastMs = at;
    if (left < 1) return false;
    left -= 1;
    return true;
  };
}
