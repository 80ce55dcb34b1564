import type { Approval } from '../contract/approval.ts';

/**
 * The narrowest pattern that a person can read and widen: these words, this path, this host. Undefined where only this
 * very request can be remembered.
 */
export function proposePattern({
  operation,
  target,
  details,
}: Pick<Approval, 'operation' | 'target' | 'details'>): string | undefined {
  const [tool] = operation.split('.');
  if (tool === 'terminal') return proposeWords(target, details);
  if (tool === 'file_io' && isPlain(target)) return `path:${target}`;
  if (tool === 'web_fetch' || tool === 'http_api') return proposeHost(target);
  return undefined;
}

/** Only where the question itself says that these words, and no shell, are run. */
function proposeWords(target: string, details: string): string | undefined {
  const words = target.split(' ');
  const isArgv = details.includes(`runs ${JSON.stringify(words)} in `);
  return isArgv && words.every(isPlain) ? `argv:${target}` : undefined;
}

/** No wildcard, and nothing that a person can't see. */
const isPlain = (text: string): boolean => /^[\w./:=@%+,-]+$/.test(text);

function proposeHost(target: string): string | undefined {
  const address = target.split(' ').at(-1) ?? '';
  return URL.canParse(address) ? `host:${new URL(address).host}` : undefined;
}
