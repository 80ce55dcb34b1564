import { BlockList, isIPv4, isIPv6, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';

export interface Address {
  readonly address: string;
  /** 4 or 6. */
  readonly family: number;
}

/** Every address of a name. */
export type ResolveName = (host: string) => Promise<readonly Address[]>;

/** The host of a URL; an IPv6 address without its brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

/** Resolves every name to the checked addresses, so that a second lookup can't differ from the first. */
export const lookUpAmong =
  (addresses: readonly Address[]): LookupFunction =>
  (_host, { all }, done) => {
    const [first] = addresses;
    if (all) done(null, [...addresses]);
    else done(null, first?.address ?? '', first?.family);
  };

/** Ranges of the IANA special-purpose registries that are not on the public internet, and Azure's metadata address. */
const closedV4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/** Within 2000::/3, the only public range: IETF protocols with Teredo, documentation. */
const closedV6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['3fff::', 20],
];

let list: BlockList | undefined;

/** Created at the first use: few runs need it. */
function closedNetworks(): BlockList {
  if (list) return list;
  list = new BlockList();
  for (const [network, prefix] of closedV4) list.addSubnet(network, prefix, 'ipv4');
  for (const [network, prefix] of closedV6) list.addSubnet(network, prefix, 'ipv6');
  return list;
}

/** All current addresses of this machine, including public ones: its own services listen there as on loopback. */
export const interfaceAddresses = (): readonly string[] =>
  Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ address }) => address));

/**
 * Whether an address is on the public internet and not one of this machine, in any notation. False for invalid addresses.
 *
 * @param own As {@link interfaceAddresses} gives them.
 */
export function isPublicAddress(address: string, own: readonly string[]): boolean {
  if (isIPv4(address)) return !closedNetworks().check(address, 'ipv4') && !own.includes(address);
  if (!isIPv6(address) || address.includes('%')) return false;
  const groups = groupsOf(address);
  const inner = wrappedV4(groups);
  if (inner !== undefined) return isPublicAddress(inner, own);
  const [first = 0] = groups;
  const isOpen = first >> 13 === 1 && !isIsatap(groups) && !closedNetworks().check(address, 'ipv6');
  return isOpen && !own.some((one) => isIPv6(one) && isSame(groupsOf(one), groups));
}

const isSame = (a: readonly number[], b: readonly number[]): boolean => a.join() === b.join();

/** The IPv4 address in `::ffff:a.b.c.d`, `64:ff9b::a.b.c.d` (NAT64) and `2002:a.b.c.d::` (6to4). */
function wrappedV4(groups: readonly number[]): string | undefined {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = groups;
  if (a === 0x2002) return v4Of(b, c);
  const isMapped = (a | b | c | d | e) === 0 && f === 0xffff;
  const isNat64 = a === 0x64 && b === 0xff9b && (c | d | e | f) === 0;
  return isMapped || isNat64 ? v4Of(g, h) : undefined;
}

/** A tunnel to the IPv4 address in the last 32 bits (RFC 5214). */
const isIsatap = (groups: readonly number[]): boolean =>
  ((groups[4] ?? 0) & ~0x0200) === 0 && groups[5] === 0x5efe;

const v4Of = (high: number, low: number): string =>
  `${high >> 8}.${high & 0xff}.${low >> 8}.${low & 0xff}`;

/** The eight groups of an IPv6 address that `isIPv6` accepts. */
function groupsOf(address: string): readonly number[] {
  // The URL has an IPv4 address at its end as hexadecimal groups.
  const [head = '', tail] = hostOf(new URL(`http://[${address}]`)).split('::');
  const start = partOf(head);
  if (tail === undefined) return start;
  const end = partOf(tail);
  return [...start, ...new Array<number>(8 - start.length - end.length).fill(0), ...end];
}

const partOf = (text: string): number[] =>
  text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
