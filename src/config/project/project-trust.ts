import { join } from 'node:path';
import * as z from 'zod';
import { writePrivateFile } from '../../platform/files/private-file.ts';
import { parseJson } from '../../platform/text/parse-json.ts';
import { type Problem, settingsInvalid } from '../read/given.ts';
import type { ProjectFile } from '../settings.ts';
import { readTextFile } from '../yaml/text-file.ts';

/** The accepted files: SHA-256 by the project's folder and the file's path. */
const TrustFile = z.strictObject({
  version: z.literal(1),
  projects: z.record(z.string(), z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/))),
});

type Accepted = ReadonlyMap<string, ReadonlyMap<string, string>>;

const trustPath = (configDir: string): string => join(configDir, 'trust.json');

export interface AcceptedFiles {
  /** SHA-256 by path. */
  readonly files: ReadonlyMap<string, string>;
  /** Why the record can't be read. It does not count as empty then. */
  readonly problem?: Problem;
}

/** The files of a project that the user has accepted. */
export function acceptedFiles(configDir: string, folder: string): AcceptedFiles {
  const record = readTrust(configDir);
  if ('problem' in record) return { files: new Map(), problem: record };
  return { files: record.get(folder) ?? new Map() };
}

/**
 * Accepts these files of a project instead of those accepted before.
 *
 * @throws AppError `SETTINGS_INVALID` if the record of accepted files can't be read.
 */
export function acceptOnly(
  configDir: string,
  folder: string,
  files: readonly Pick<ProjectFile, 'path' | 'sha256'>[],
): void {
  save(configDir, folder, hashes(files));
}

/**
 * Accepts these files in addition to those accepted before.
 *
 * @throws AppError `SETTINGS_INVALID` if the record of accepted files can't be read.
 */
export function acceptFiles(
  configDir: string,
  folder: string,
  files: readonly Pick<ProjectFile, 'path' | 'sha256'>[],
): void {
  save(configDir, folder, new Map([...acceptedFiles(configDir, folder).files, ...hashes(files)]));
}

const hashes = (files: readonly Pick<ProjectFile, 'path' | 'sha256'>[]): Map<string, string> =>
  new Map(files.flatMap(({ path, sha256 }) => (sha256 ? [[path, sha256] as const] : [])));

function save(configDir: string, folder: string, files: ReadonlyMap<string, string>): void {
  const record = readTrust(configDir);
  if ('problem' in record) throw settingsInvalid([record]);
  const projects = new Map([...record, [folder, files]]);
  const plain = [...projects].map(([name, known]) => [name, Object.fromEntries(known)]);
  const content = { version: 1, projects: Object.fromEntries(plain) };
  writePrivateFile(trustPath(configDir), `${JSON.stringify(content, null, 2)}\n`);
}

function readTrust(configDir: string): Accepted | Problem {
  const where = trustPath(configDir);
  const file = readTextFile(where, 64 * 1024 ** 2);
  if (!file) return new Map();
  if ('problem' in file) return { where, problem: file.problem };
  const parsed = TrustFile.safeParse(parseJson(file.text));
  if (!parsed.success) {
    const problem = 'it is damaged. Move it away, then trust your projects again.';
    return { where, problem };
  }
  const projects = Object.entries(parsed.data.projects);
  return new Map(projects.map(([folder, files]) => [folder, new Map(Object.entries(files))]));
}
