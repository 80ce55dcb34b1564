/** How a call used one host. The capsule gets it, and the journal keeps it with the result. */
export interface NetworkUse {
  /** `example.com:443`. */
  readonly host: string;
  readonly sent_bytes: number;
  readonly received_bytes: number;
  /** Why it was not reached. Missing if it was. */
  readonly refused?: string;
}

export type NetworkLog = ReturnType<typeof createNetworkLog>;

/** Further hosts are counted together as `others`. */
const MAX_HOSTS = 40;
const MAX_CHARS = 200;

export function createNetworkLog() {
  const uses = new Map<string, { sent: number; received: number; refused?: string }>();
  const useOf = (host: string) => {
    const name = uses.size < MAX_HOSTS || uses.has(host) ? host.slice(0, MAX_CHARS) : 'others';
    const use = uses.get(name) ?? { sent: 0, received: 0 };
    uses.set(name, use);
    return use;
  };
  return {
    /** Returns counters for a host; add to them. */
    reached: (host: string): { sent: number; received: number } => useOf(host),
    refused(host: string, why: string): void {
      useOf(host).refused = why.slice(0, MAX_CHARS);
    },
    uses: (): readonly NetworkUse[] =>
      [...uses].map(([host, { sent, received, refused }]) => ({
        host,
        sent_bytes: sent,
        received_bytes: received,
        ...(refused === undefined ? {} : { refused }),
      })),
  };
}
