import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import * as z from 'zod';
import { messageOf } from '../errors.ts';
import { isPublicAddress } from './addresses.ts';
import { failure, type Reach } from './reach.ts';

/** An address of the web as an argument: parsed once, so that what is decided on is what is dialled. */
export const webAddress = () =>
  z
    .string()
    .min(1)
    .max(8_192)
    .transform((text, context): URL => {
      const problem = URL.canParse(text) ? urlProblem(new URL(text)) : 'is no complete URL';
      if (problem === undefined) return new URL(text);
      context.addIssue({ code: 'custom', message: `${problem}; give http(s)://host/path` });
      return z.NEVER;
    });

/** Why a URL can't be asked at all. */
export function urlProblem(url: URL): string | undefined {
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return `${url.protocol} is not allowed`;
  if (url.username !== '' || url.password !== '') return 'holds a user name or a password';
  if (url.hostname === '') return 'names no host';
  return undefined;
}

export interface Address {
  readonly address: string;
  readonly family: number;
}

/**
 * The addresses to dial for a URL. Every address of the name must be public, unless the person's settings open the origin.
 *
 * @throws AppError `TOOL_FAILED`.
 */
export async function addressesOf(url: URL, reach: Reach): Promise<readonly Address[]> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const family = isIP(host);
  const addresses = family === 0 ? await resolveName(host, reach) : [{ address: host, family }];
  if (reach.context.privateOrigins.has(url.origin)) return addresses;
  const closed = addresses.find(({ address }) => !isPublicAddress(address));
  if (closed === undefined && addresses.length > 0) return addresses;
  throw failure(
    reach,
    `${url.host} is no public address${closed && closed.address !== host ? ` (${closed.address})` : ''}; the person's settings can open the origin ${url.origin}`,
  );
}

async function resolveName(host: string, reach: Reach): Promise<readonly Address[]> {
  try {
    return await lookup(host, { all: true, verbatim: true });
  } catch (error) {
    throw failure(reach, `the name ${host} can't be resolved: ${messageOf(error)}`, error);
  }
}
