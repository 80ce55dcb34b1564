import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import * as z from 'zod';
import { AppError } from '../../contract/errors.ts';
import { failing, failure, type ToolCall } from '../define/call.ts';
import {
  type Address,
  hostOf,
  interfaceAddresses,
  isPublicAddress,
  type ResolveName,
} from './addresses.ts';

/** A URL as an argument. Parsed once, so that the decision and the request use the same URL. */
export const webAddress = () =>
  z
    .string()
    .min(1)
    .max(8_192)
    .transform((text, context): URL => {
      const problem = URL.canParse(text) ? urlProblem(new URL(text)) : 'is not a complete URL';
      if (problem === undefined) return new URL(text);
      context.addIssue({ code: 'custom', message: `${problem}; give http(s)://host/path` });
      return z.NEVER;
    });

/** Why a URL can't be requested at all. */
export function urlProblem(url: URL): string | undefined {
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return `${url.protocol} is not allowed`;
  if (url.username !== '' || url.password !== '') return 'has a user name or a password';
  if (url.hostname === '') return 'names no host';
  return undefined;
}

/**
 * The addresses to connect to for a URL. All must be public and not of this machine, unless the user's settings open
 * the origin.
 *
 * @throws AppError `ADDRESS_PRIVATE`, `TOOL_FAILED`.
 */
export async function addressesOf(url: URL, call: ToolCall): Promise<readonly Address[]> {
  const host = hostOf(url);
  const family = isIP(host);
  const addresses = family === 0 ? await resolveName(host, call) : [{ address: host, family }];
  assertPublic(url, addresses, call);
  if (addresses.length > 0) return addresses;
  throw failure(call, `the name ${host} has no address`);
}

/** @throws AppError `ADDRESS_PRIVATE` if one is not public or is of this machine, and the settings do not open the origin. */
export function assertPublic(url: URL, addresses: readonly Address[], call: ToolCall): void {
  if (call.context.privateOrigins.has(url.origin)) return;
  const { ownAddresses = interfaceAddresses } = call.context;
  const own = ownAddresses();
  const closed = addresses.find(({ address }) => !isPublicAddress(address, own));
  if (closed === undefined) return;
  const isNamed = closed.address !== hostOf(url);
  const what = isPublicAddress(closed.address, [])
    ? 'an address of this machine'
    : 'not a public address';
  throw new AppError('ADDRESS_PRIVATE', {
    host: url.host,
    what: isNamed ? `${what} (${closed.address})` : what,
    origin: url.origin,
  });
}

/** @throws AppError `TOOL_FAILED`. */
export async function resolveName(host: string, call: ToolCall): Promise<readonly Address[]> {
  const { resolveName: resolve = lookUp } = call.context;
  return resolve(host).catch(failing(call, `the name ${host} can't be resolved`));
}

const lookUp: ResolveName = (host) => lookup(host, { all: true, verbatim: true });
