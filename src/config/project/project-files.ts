import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { printable } from '../../contract/text/printable.ts';
import { REVIEW_AND_TRUST } from '../../contract/text/trust-notice.ts';
import { readPlainFile } from '../../platform/files/plain-file.ts';
import { sha256 } from '../../platform/text/canonical-hash.ts';
import { tryOr } from '../../platform/try-or.ts';
import { isCaseData } from '../files/agent-folders.ts';
import type { Project, ProjectFile } from '../settings.ts';

const singleFiles = ['capstan.yaml', 'capstan.policy.yaml', 'AGENTS.md'];
const folders = ['agents', 'skills'];
const maxFiles = 2_000;
const maxFileBytes = 4 * 1024 ** 2;
const maxTotalBytes = 64 * 1024 ** 2;
const maxDepth = 8;

/**
 * The current Capstan files of a project, compared with what the person has accepted (hash by path). Links, special files,
 * and files beyond 2,000 files, 8 levels, 4 MiB each or 64 MiB in total can't be trusted. Deleted files are listed, too,
 * since a rule may be missing with them. The data of capsules' cases is not among them: no run uses it.
 *
 * @param withoutAgents True for Capstan's own folder, whose `agents/` are the shipped capsules.
 */
export function scanProject(
  folder: string,
  accepted: ReadonlyMap<string, string>,
  withoutAgents = false,
): Project {
  const top = withoutAgents ? ['skills'] : folders;
  const found = [
    ...singleFiles.filter((name) => lstatSync(join(folder, name), { throwIfNoEntry: false })),
    ...top.flatMap((name) => listFiles(folder, name)),
  ];
  let left = maxTotalBytes;
  const files = found.map((path): ProjectFile => {
    const bytes = readPlainFile(join(folder, path), Math.min(left, maxFileBytes));
    left -= bytes?.length ?? 0;
    if (!bytes) return { path, state: 'unfit', sha256: undefined };
    const hash = sha256(bytes);
    const known = accepted.get(path);
    return { path, sha256: hash, state: known === hash ? 'trusted' : known ? 'changed' : 'new' };
  });
  const present = new Set(found);
  const gone = [...accepted.keys()]
    .filter((path) => !present.has(path) && !isOfCase(path))
    .filter((path) => !(withoutAgents && path.startsWith('agents/')))
    .map((path): ProjectFile => ({ path, state: 'gone', sha256: undefined }));
  return { folder, files: [...files, ...gone] };
}

/** Treats every file that can be trusted as trusted, for one process. */
export const trustAll = ({ folder, files }: Project): Project => ({
  folder,
  files: files.map((file) => (file.sha256 ? { ...file, state: 'trusted' } : file)),
});

/** The content of a trusted project file, if it has not changed since. */
export function readTrustedFile(project: Project, path: string): Buffer | undefined {
  const file = project.files.find((it) => it.path === path);
  if (file?.state !== 'trusted') return undefined;
  const bytes = readPlainFile(join(project.folder, path), maxFileBytes);
  return bytes && sha256(bytes) === file.sha256 ? bytes : undefined;
}

/** Whether a folder of the project (`agents/<id>`) has files and all of them are trusted. */
export function isFolderTrusted(project: Project, path: string): boolean {
  const inside = project.files.filter((file) => `${file.path}/`.startsWith(`${path}/`));
  return inside.length > 0 && inside.every(({ state }) => state === 'trusted');
}

/**
 * Every file below a folder. A folder that can't be listed completely is returned as one entry: a link instead of a
 * folder, an unreadable or too deep one, or one with too many files.
 */
function listFiles(root: string, top: string): string[] {
  const files: string[] = [];
  const waiting = lstatSync(join(root, top), { throwIfNoEntry: false }) ? [top] : [];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const children = listFolder(join(root, path));
    if (files.length + waiting.length + (children?.length ?? 1) > maxFiles) return [top];
    if (children && path.split('/').length <= maxDepth)
      waiting.push(...children.map((child) => `${path}/${child}`));
    else if (children || !isOfCase(path)) files.push(path);
  }
  return files.sort();
}

/** Whether a file is data of a capsule's cases, in `agents/<id>/cases`. `agents/skills` holds skills. */
function isOfCase(path: string): boolean {
  const [, inside] = /^agents\/(?!skills\/)[^/]+\/(.+)$/.exec(path) ?? [];
  return inside !== undefined && isCaseData(inside);
}

/** The names in a folder; undefined if it is not a readable folder. */
const listFolder = (path: string): string[] | undefined =>
  tryOr(() => (lstatSync(path).isDirectory() ? readdirSync(path) : undefined), undefined);

/** Names the files of the project that are not used; empty if all are. */
export function projectNotices({ files }: Project): string[] {
  const waiting = files.filter(({ state }) => state === 'new' || state === 'changed');
  const unfit = files.filter(({ state }) => state === 'unfit');
  const gone = files.filter(({ state }) => state === 'gone');
  return [
    ...describeFiles(waiting, `not trusted, so they are ignored. ${REVIEW_AND_TRUST}`),
    ...describeFiles(
      unfit,
      "ignored. Links, special files, and files over the limits (size, depth, number) can't be trusted.",
    ),
    ...describeFiles(
      gone,
      'missing since you trusted them. Trust the project again to accept that.',
    ),
  ];
}

function describeFiles(files: readonly ProjectFile[], what: string): string[] {
  if (files.length === 0) return [];
  const names = files
    .slice(0, 5)
    .map(({ path, state }) => printable(state === 'changed' ? `${path} (changed)` : path, 100));
  const more = files.length > names.length ? ` and ${files.length - names.length} more` : '';
  return [`Files of this project are ${what} They are: ${names.join(', ')}${more}.`];
}
