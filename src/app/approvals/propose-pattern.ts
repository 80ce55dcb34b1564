import type { Approval } from '../../contract/approval.ts';
import { toolOf } from '../../tools/toolbox.ts';

/**
 * Proposes the narrowest readable pattern for a request: its argv, its path or its host. Undefined if only the exact
 * request can be remembered.
 */
export function proposePattern(request: Pick<Approval, 'operation' | 'target' | 'details'>) {
  const { operation, target, details } = request;
  const remembers = toolOf(operation)?.remembers;
  if (remembers === 'argv') return proposeWords(target, details);
  if (remembers === 'path' && isPlain(target)) return `path:${target}`;
  return remembers === 'host' ? proposeHost(target) : undefined;
}

/** Only if the question shows that the words run as argv, without a shell. */
function proposeWords(target: string, details: string): string | undefined {
  const words = target.split(' ');
  const isArgv = details.includes(`runs ${JSON.stringify(words)} in `);
  return isArgv && words.every(isPlain) ? `argv:${target}` : undefined;
}

/** No wildcards and no invisible characters. */
const isPlain = (text: string): boolean => /^[\w./:=@%+,-]+$/.test(text);

function proposeHost(target: string): string | undefined {
  const address = target.split(' ').at(-1) ?? '';
  return URL.canParse(address) ? `host:${new URL(address).host}` : undefined;
}
