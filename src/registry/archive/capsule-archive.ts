import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod';
import { AppError, messageOf } from '../../contract/errors.ts';
import { problemWords } from '../../contract/text/issue-line.ts';
import { printable } from '../../contract/text/printable.ts';
import { sha256 } from '../../platform/text/canonical-hash.ts';
import { textOf } from '../../platform/text/text-diff.ts';
import { tryOr } from '../../platform/try-or.ts';
import type { Capsule } from '../capsule-store.ts';
import { listFiles, MAX_BYTES, MAX_FILES } from '../files/capsule-hash.ts';

/** Longest archive that is written or read: the largest content in Base64, and a margin. */
export const MAX_ARCHIVE_BYTES = 48 * 1024 * 1024;

const FORMAT = 'capstan-capsule';

const sha256Digits = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hexadecimal');

const ArchivedFile = z
  .strictObject({
    path: z.string().min(1),
    bytes: z.int().min(0).max(MAX_BYTES),
    sha256: sha256Digits,
    executable: z.literal(true).optional(),
    text: z.string().optional(),
    base64: z.string().optional(),
  })
  .refine(({ text, base64 }) => (text === undefined) !== (base64 === undefined), {
    error: 'must have either text or base64',
  });

/** A capsule as one JSON file. The hashes detect damage and edits by mistake; they do not prove who wrote it. */
const Archive = z.strictObject({
  format: z.literal(FORMAT, 'it is not the archive of a capsule'),
  format_version: z.literal(1),
  id: z.string().min(1).max(64),
  files: z.array(ArchivedFile).min(1).max(MAX_FILES),
  sha256: sha256Digits,
});
type Archive = z.infer<typeof Archive>;

export interface UnpackedFile {
  /** Relative, with `/`. */
  readonly path: string;
  readonly content: Buffer;
  readonly sha256: string;
  readonly isExecutable: boolean;
}

export interface CapsuleArchive {
  /** As in the archive. The manifest is checked when the files are written. */
  readonly id: string;
  readonly files: readonly UnpackedFile[];
  /** SHA-256 of the paths and hashes of all files. */
  readonly sha256: string;
}

/**
 * A capsule's files as the text of an archive: the same files give the same text. Without memory, logs and hidden files;
 * with the overlay that is used.
 *
 * @throws Error if a file can't be in an archive, or if there are too many.
 */
export function packCapsule({ id, dir, overlay }: Capsule) {
  const files = filesIn(dir).filter(({ path }) => path !== 'skill.md');
  if (overlay) files.push(toUnpacked('skill.md', Buffer.from(overlay.text), false));
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  assertPaths(files, (problem) => new Error(problem));
  const sha256 = hashOf(id, files);
  const head = { format: FORMAT, format_version: 1, id };
  const document = { ...head, files: files.map(toArchived), sha256 };
  const text = `${JSON.stringify(document, undefined, 2)}\n`;
  if (Buffer.byteLength(text) > MAX_ARCHIVE_BYTES)
    throw new Error(`its archive would have more than ${MAX_ARCHIVE_BYTES} bytes`);
  return { text, sha256, files: files.length };
}

/**
 * A capsule's folder as the archive that `packCapsule` would make of it. The manifest is checked when the files are
 * written.
 *
 * @throws Error if the folder has no manifest with an id, or if a file can't be in an archive.
 */
export function archiveFolder(dir: string): CapsuleArchive {
  const files = filesIn(dir);
  assertPaths(files, (problem) => new Error(problem));
  const id = idIn(files.find(({ path }) => path === 'manifest.json')?.content);
  return { id, files, sha256: hashOf(id, files) };
}

function idIn(manifest: Buffer | undefined): string {
  if (!manifest) throw new Error('it has no manifest.json');
  const fail = (problem: string) => new Error(`manifest.json: ${problem}`);
  const { id } = (parseJson(manifest.toString('utf8'), fail) ?? {}) as { id?: unknown };
  if (typeof id === 'string') return id;
  throw fail('it has no id');
}

const isHidden = (path: string) => basename(path).startsWith('.');

/** @throws Error if there are too many, or one is neither a file nor a folder. */
function filesIn(dir: string): UnpackedFile[] {
  let bytes = 0;
  return listFiles(dir, isHidden).map((path) => {
    const { size, mode } = statSync(join(dir, path));
    bytes += size;
    if (bytes > MAX_BYTES) throw new Error(`its files have more than ${MAX_BYTES} bytes`);
    return toUnpacked(path, readFileSync(join(dir, path)), (mode & 0o100) !== 0);
  });
}

/**
 * Reads an untrusted archive: all limits, paths and hashes are checked before anything is written.
 *
 * @param source Named in errors.
 * @throws AppError `ARCHIVE_INVALID`, naming the problem.
 */
export function readArchive(text: string, source: string): CapsuleArchive {
  const fail = (problem: string) => new AppError('ARCHIVE_INVALID', { path: source, problem });
  if (Buffer.byteLength(text) > MAX_ARCHIVE_BYTES)
    throw fail(`it has more than ${MAX_ARCHIVE_BYTES} bytes`);
  const parsed = Archive.safeParse(parseJson(text, fail));
  if (!parsed.success) throw fail(problemIn(parsed.error));
  const { id, sha256 } = parsed.data;
  const bytes = parsed.data.files.reduce((sum, file) => sum + file.bytes, 0);
  if (bytes > MAX_BYTES) throw fail(`its files have ${bytes} bytes; ${MAX_BYTES} are allowed`);
  assertPaths(parsed.data.files, fail);
  const files = parsed.data.files.map((file) => unpack(file, fail));
  if (hashOf(id, files) !== sha256) throw fail('sha256: its list of files was changed');
  return { id, files, sha256 };
}

/** The same files under another id. Only the manifest changes. */
export function withId(archive: CapsuleArchive, id: string): CapsuleArchive {
  const files = archive.files.map((file) =>
    file.path === 'manifest.json' ? { ...file, content: renamed(file.content, id) } : file,
  );
  return { ...archive, files };
}

/** A text that is not a manifest is returned unchanged: it is refused when it is read. */
function renamed(manifest: Buffer, id: string): Buffer {
  return tryOr(() => {
    const json: unknown = JSON.parse(manifest.toString('utf8'));
    if (typeof json !== 'object' || json === null || !('id' in json) || json.id === id)
      return manifest;
    return Buffer.from(`${JSON.stringify({ ...json, id }, undefined, 2)}\n`);
  }, manifest);
}

/** Writes an archive's files into a new folder: files with mode 0600 (0700 if executable), folders with 0700. */
export function unpackArchive({ files }: CapsuleArchive, dir: string): void {
  mkdirSync(dir, { mode: 0o700 });
  for (const { path, content, isExecutable } of files) {
    const full = join(dir, path);
    mkdirSync(dirname(full), { recursive: true, mode: 0o700 });
    writeFileSync(full, content, { flag: 'wx', mode: isExecutable ? 0o700 : 0o600 });
  }
}

function parseJson(text: string, fail: (problem: string) => Error): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw fail(`it is not JSON (${printable(messageOf(error))})`);
  }
}

function problemIn({ issues }: z.ZodError): string {
  const [first] = issues;
  return `${printable(first?.path.join('.') || 'document')}: ${printable(first ? problemWords(first) : '')}`;
}

function assertPaths(
  files: readonly { readonly path: string }[],
  fail: (problem: string) => Error,
): void {
  for (const { path } of files) {
    const problem = archivePathProblem(path);
    if (problem !== undefined) throw fail(`files: the path "${printable(path)}" ${problem}`);
  }
  const clash = clashingPath(files.map(({ path }) => path));
  if (clash !== undefined)
    throw fail(`files: the path "${printable(clash)}" conflicts with another path`);
}

function unpack(file: Archive['files'][number], fail: (problem: string) => Error): UnpackedFile {
  const { path, bytes, sha256, text, base64 = '', executable } = file;
  const content = text === undefined ? Buffer.from(base64, 'base64') : Buffer.from(text);
  const isExact = text !== undefined || content.toString('base64') === base64;
  const unpacked = toUnpacked(path, content, executable === true);
  if (!isExact || content.length !== bytes || unpacked.sha256 !== sha256)
    throw fail(`files: "${path}" was changed: its bytes or its hash differ`);
  return unpacked;
}

const toUnpacked = (path: string, content: Buffer, isExecutable: boolean): UnpackedFile => ({
  path,
  content,
  sha256: sha256(content),
  isExecutable,
});

function toArchived({ path, content, sha256, isExecutable }: UnpackedFile) {
  const text = textOf(content);
  return {
    path,
    bytes: content.length,
    sha256,
    ...(isExecutable ? { executable: true } : {}),
    ...(text === undefined ? { base64: content.toString('base64') } : { text }),
  };
}

function hashOf(id: string, files: readonly UnpackedFile[]): string {
  const list = files.map(({ path, sha256, isExecutable }) => [path, sha256, isExecutable]);
  return sha256(JSON.stringify([id, list]));
}

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
