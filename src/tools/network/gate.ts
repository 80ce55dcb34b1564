import type { Duplex } from 'node:stream';
import type { ToolCall } from '../define/call.ts';
import { hostAndPort } from './network-hosts.ts';
import type { NetworkLog } from './network-log.ts';

/** What the proxy of one call lets through. */
export interface Gate {
  /** As `hostAndPort` writes them. */
  readonly allowed: ReadonlySet<string>;
  readonly log: NetworkLog;
  readonly call: ToolCall;
  /** Connections that end with the call at the latest. */
  hold(socket: Duplex): void;
}

/** Why a host is refused that the call did not name. */
export const NOT_NAMED = 'Its host and port are not among those that this call may reach.';

export const isAllowed = (target: URL, { allowed }: Gate): boolean =>
  target.username === '' && target.password === '' && allowed.has(hostAndPort(target));
