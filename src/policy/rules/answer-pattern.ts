import type { Operation } from '../../contract/permissions/operation.ts';
import { grantsHost, grantsPath, matchesArgv } from '../grants/grants.ts';

/**
 * The requests that a remembered answer applies to, besides its capsule and operation. `exact:<hash>` is one request,
 * `argv:npm test **` matches a command word by word, `path:docs/**` all files of a call, `host:*.example.com` its hosts.
 */
export type AnswerPattern = `${'exact' | 'argv' | 'path' | 'host'}:${string}`;

/** The default pattern: only this request. */
export const exactPattern = (requestHash: string): AnswerPattern => `exact:${requestHash}`;

/** Why a text is not a pattern for an operation, whose tool allows the kind `remembers` besides `exact`; undefined if it is one. */
export function patternProblem(
  pattern: string,
  operation: string,
  remembers: string | undefined,
): string | undefined {
  const [kind = '', rest = ''] = split(pattern);
  if (!kinds.has(kind) || rest.trim() === '') {
    return `"${pattern}" is not a pattern. Write argv:<words>, path:<glob>, host:<name> or leave it out (only this request).`;
  }
  return kind === 'exact' || kind === remembers
    ? undefined
    : `a ${kind}: pattern says nothing about ${operation}; leave it out (only this request).`;
}

const kinds: ReadonlySet<string> = new Set(['exact', 'argv', 'path', 'host']);

/** Whether a pattern besides `exact:` can match: not shell strings, program texts and commands with network. */
export const canHavePattern = ({ command, paths, url, network }: Operation): boolean =>
  command
    ? command.kind === 'argv' && network === undefined
    : paths.length > 0 || url !== undefined;

/**
 * Whether a remembered answer applies to this call. Shell strings, program texts and commands with network have to match
 * exactly. Unless the answer is a denial, `*` in `argv:` matches no option.
 */
export function matchesAnswer(
  pattern: string,
  { operation, requestHash }: { readonly operation: Operation; readonly requestHash: string },
  answer?: string,
): boolean {
  const [kind = '', rest = ''] = split(pattern);
  const { command, paths, url, network } = operation;
  switch (kind) {
    case 'exact':
      return rest === requestHash;
    case 'argv':
      return (
        command?.kind === 'argv' &&
        network === undefined &&
        matchesArgv(rest.trim().split(/\s+/), command.argv, answer === 'deny')
      );
    case 'path':
      return (
        command === undefined &&
        paths.length > 0 &&
        paths.every(({ path, subtree }) => grantsPath({ paths: [rest] }, path, subtree))
      );
    case 'host':
      return url !== undefined && grantsHost({ hosts: [rest] }, url);
    default:
      return false;
  }
}

function split(pattern: string): readonly [string, string] {
  const at = pattern.indexOf(':');
  return at < 0 ? ['', ''] : [pattern.slice(0, at), pattern.slice(at + 1)];
}
