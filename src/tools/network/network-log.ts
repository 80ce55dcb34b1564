/** What a call did with one host: told to the capsule and kept in the journal with its result. */
export interface NetworkUse {
  /** `example.com:443`. */
  readonly host: string;
  readonly sent_bytes: number;
  readonly received_bytes: number;
  /** Why it was not reached; left out where it was. */
  readonly refused?: string;
}

export interface NetworkLog {
  /** Counts what goes to a host from here on. */
  reached(host: string): { sent(bytes: number): void; received(bytes: number): void };
  refused(host: string, why: string): void;
  uses(): readonly NetworkUse[];
}

/** Most hosts that are told apart; the rest is one. */
const MAX_HOSTS = 40;
const MAX_CHARS = 200;

export function createNetworkLog(): NetworkLog {
  const uses = new Map<string, { sent: number; received: number; refused?: string }>();
  const useOf = (host: string) => {
    const name = uses.size < MAX_HOSTS || uses.has(host) ? host.slice(0, MAX_CHARS) : 'others';
    const use = uses.get(name) ?? { sent: 0, received: 0 };
    uses.set(name, use);
    return use;
  };
  return {
    reached(host) {
      const use = useOf(host);
      return {
        sent(bytes) {
          use.sent += bytes;
        },
        received(bytes) {
          use.received += bytes;
        },
      };
    },
    refused(host, why) {
      useOf(host).refused = why.slice(0, MAX_CHARS);
    },
    uses: () =>
      [...uses].map(([host, { sent, received, refused }]) => ({
        host,
        sent_bytes: sent,
        received_bytes: received,
        ...(refused === undefined ? {} : { refused }),
      })),
  };
}
