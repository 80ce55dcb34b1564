const MAX_LENGTH = 200;
const MAX_PARTS = 9;

/** Device names of Windows, with any ending. */
const device = /^(con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(\..*)?$/i;

/** Memory and logs of a capsule, which are never exported. */
const record = /^(memory\.db.*|logs)$/i;

/**
 * What is wrong with a path in an archive, or undefined. Its parts are joined by `/`, it stays inside the folder, it
 * means the same on every file system, and it names no hidden file, memory or log.
 */
export function archivePathProblem(path: string): string | undefined {
  if (path.length > MAX_LENGTH) return `is longer than ${MAX_LENGTH} characters`;
  if (!/^[\p{L}\p{M}\p{N} !#$%&'()+,\-./=@[\]^_`{}~]+$/u.test(path))
    return 'contains a character that is not allowed';
  if (path !== path.normalize('NFC')) return 'is not in Unicode normal form C';
  const parts = path.split('/');
  if (parts.length > MAX_PARTS) return `is nested more than ${MAX_PARTS - 1} deep`;
  if (record.test(parts[0] ?? '')) return 'is the memory or a log of a capsule';
  return parts.map(partProblem).find((problem) => problem !== undefined);
}

function partProblem(part: string): string | undefined {
  if (part === '') return 'is absolute or has an empty part';
  if (part.startsWith('.')) return 'leads elsewhere or is hidden';
  if (/[. ]$/.test(part) || part.startsWith(' ')) return 'has a part that begins or ends oddly';
  return device.test(part) ? 'names a device' : undefined;
}

/**
 * The first path that conflicts with another one, or undefined: both are the same on a file system that ignores case
 * (where `ſ` is an `s`), or one is a folder of the other.
 */
export function clashingPath(paths: readonly string[]): string | undefined {
  const seen = new Set<string>();
  const folders = new Set<string>();
  for (const path of paths) {
    const key = path.toUpperCase().toLowerCase();
    if (seen.has(key) || folders.has(key)) return path;
    seen.add(key);
    const above = foldersAbove(key);
    if (above.some((folder) => seen.has(folder))) return path;
    for (const folder of above) folders.add(folder);
  }
  return undefined;
}

const foldersAbove = (path: string): string[] =>
  path
    .split('/')
    .slice(0, -1)
    .map((_, i, parts) => parts.slice(0, i + 1).join('/'));
