import type { Operation } from '../../contract/operation.ts';

const MOST_CHARS = 200;

/** Where the result of a call comes from, in few words: whoever reads it takes it for data of that origin. */
export function originOf(
  { url, command, network, paths, tool }: Operation,
  result: unknown,
): string {
  if (url) {
    const { origin } = (result ?? {}) as { origin?: unknown };
    return typeof origin === 'string' ? origin : url.origin;
  }
  if (command && network)
    return `output of ${tool} with network to ${network.map(({ host }) => host).join(', ')}`.slice(
      0,
      MOST_CHARS,
    );
  if (command) return `output of ${tool}`;
  const names = paths.map(({ path }) => path).join(', ');
  return `workspace: ${names}`.slice(0, MOST_CHARS);
}
