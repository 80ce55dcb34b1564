import type { Sandbox } from '../runtime/sandbox/sandbox.ts';

/** Says how to ask for writing, where a process that could only read seems to have failed for that. */
export function readOnlyHint(
  { stdout, stderr }: { readonly stdout: string; readonly stderr: string },
  { level }: Sandbox,
): string | undefined {
  if (level === 'none') return undefined;
  const refused = level === 'B' ? /permission denied|EACCES/i : /read-only file system|EROFS/i;
  return refused.test(stderr) || refused.test(stdout)
    ? 'The workspace could only be read, since the access was "read". If it has to be changed, ask again with the access "write".'
    : undefined;
}
