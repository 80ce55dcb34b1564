import type { Duplex, Readable } from 'node:stream';
import type { ToolCall } from '../define/call.ts';
import { hostAndPort } from './network-hosts.ts';

/** How a call used one host. The capsule gets it, and the journal keeps it with the result. */
export interface NetworkUse {
  /** `example.com:443`. */
  readonly host: string;
  readonly sent_bytes: number;
  readonly received_bytes: number;
  /** Why it was not reached. Missing if it was. */
  readonly refused?: string;
}

/** Further hosts are counted together as `others`. */
const MAX_HOSTS = 40;
const MAX_CHARS = 200;

export const NOT_NAMED = 'This call may not reach this host and port.';

/** What the proxy of one call allows, its connections, and how it used each host. */
export type Gate = ReturnType<typeof createGate>;

export function createGate(hosts: readonly URL[], call: ToolCall) {
  const allowed = new Set(hosts.map(hostAndPort));
  const open = new Set<Duplex>();
  const uses = new Map<string, { -readonly [Key in keyof NetworkUse]: NetworkUse[Key] }>();
  const useOf = (target: URL | string) => {
    const host = typeof target === 'string' ? target : hostAndPort(target);
    const name = uses.size < MAX_HOSTS || uses.has(host) ? host.slice(0, MAX_CHARS) : 'others';
    const use = uses.get(name) ?? { host: name, sent_bytes: 0, received_bytes: 0 };
    uses.set(name, use);
    return use;
  };
  return {
    call,
    isAllowed: (target: URL): boolean =>
      target.username === '' && target.password === '' && allowed.has(hostAndPort(target)),
    /** Closes the connection when the call ends. */
    hold(socket: Duplex): void {
      open.add(socket);
      socket.once('close', () => open.delete(socket)).on('error', () => undefined);
    },
    closeAll(): void {
      for (const socket of open) socket.destroy();
    },
    /** Counts what a stream carries to a host, or from it. @param before Bytes that were taken from it before. */
    count(target: URL, way: 'sent' | 'received', stream: Readable, before = 0): void {
      const use = useOf(target);
      use[`${way}_bytes`] += before;
      stream.on('data', (chunk: Buffer) => {
        use[`${way}_bytes`] += chunk.length;
      });
    },
    refuse(target: URL | string, why: string): void {
      useOf(target).refused = why.slice(0, MAX_CHARS);
    },
    uses: (): readonly NetworkUse[] => [...uses.values()],
  };
}
