import { isIPv4 } from 'node:net';
import type { Operation } from '../../contract/permissions/operation.ts';

/** A host and the port to connect to. */
export interface Host {
  /** Lower case, in ASCII, without a trailing dot or brackets; an IPv4-mapped IPv6 address as the IPv4 address. */
  readonly name: string;
  readonly port: number;
  /** Whether the port is the default of the scheme. */
  readonly isUsualPort: boolean;
}

/** The host and port that a URL connects to, normalized for rules. */
export function hostOf({ hostname, port, protocol }: URL): Host {
  const usual = protocol === 'http:' ? 80 : 443;
  return {
    name: plainName(hostname),
    port: port === '' ? usual : Number(port),
    isUsualPort: port === '',
  };
}

/** A host as a rule names it: `example.com`, `*.example.com`, `example.com:8080`, `[::1]`, `*`. */
export interface HostPattern {
  readonly name: string;
  /** Every name below `name`; with an empty name, every host. */
  readonly isBelow: boolean;
  readonly port: number | undefined;
}

/** The pattern; undefined if the text is not one. */
export function parseHostPattern(text: string): HostPattern | undefined {
  if (text === '*') return { name: '', isBelow: true, port: undefined };
  const isBelow = text.startsWith('*.');
  const rest = isBelow ? text.slice(2) : text;
  if (rest === '' || /[\s/?#@*\\]/.test(rest) || !URL.canParse(`https://${rest}`)) return undefined;
  const name = plainName(new URL(`https://${rest}`).hostname);
  // `*..` must not match every host.
  if (name === '') return undefined;
  const port = /:(\d+)$/.exec(rest)?.[1];
  return { name, isBelow, port: port === undefined ? undefined : Number(port) };
}

/** @param anyPort Whether a pattern without a port matches every port, not only the scheme's default. */
export function matchesHost(pattern: HostPattern, host: Host, anyPort: boolean): boolean {
  const { name, isBelow, port } = pattern;
  if (isBelow && name === '') return true;
  const isPort = port === undefined ? anyPort || host.isUsualPort : port === host.port;
  return isPort && (isBelow ? host.name.endsWith(`.${name}`) : host.name === name);
}

/** `URL` has already converted it to lower case, Punycode and the usual form of addresses. */
function plainName(hostname: string): string {
  const name = hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '');
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(name);
  if (!mapped) return name;
  const [high, low] = [Number.parseInt(mapped[1] ?? '', 16), Number.parseInt(mapped[2] ?? '', 16)];
  const address = [high >> 8, high & 255, low >> 8, low & 255].join('.');
  return isIPv4(address) ? address : name;
}

/** All URLs that an operation asks or may reach. */
export const urlsOf = ({ url, network = [] }: Pick<Operation, 'url' | 'network'>) =>
  url === undefined ? network : [url, ...network];
