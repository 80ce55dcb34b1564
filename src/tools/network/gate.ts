import type { Duplex } from 'node:stream';
import type { ToolCall } from '../define/call.ts';
import { hostAndPort } from './network-hosts.ts';
import type { NetworkLog } from './network-log.ts';

/** What the proxy of one call allows. */
export interface Gate {
  /** As `hostAndPort` writes them. */
  readonly allowed: ReadonlySet<string>;
  readonly log: NetworkLog;
  readonly call: ToolCall;
  /** Closes the connection when the call ends. */
  hold(socket: Duplex): void;
}

export const NOT_NAMED = 'This call may not reach this host and port.';

export const isAllowed = (target: URL, { allowed }: Gate): boolean =>
  target.username === '' && target.password === '' && allowed.has(hostAndPort(target));
