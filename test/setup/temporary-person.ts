import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type LoadOptions, loadSettings } from '../../src/config/load-settings.ts';
import type { LoadedSettings } from '../../src/config/settings.ts';
import { shareCache } from '../runner/share-cache.ts';

/** A user with a home folder and a project, and nothing else in the environment. */
export interface Person {
  /** Their `CAPSTAN_HOME`. */
  readonly home: string;
  readonly project: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Writes a file of the project and returns its path. */
  writeProject(path: string, text: string): string;
  /** Writes a file of the settings folder (0600) and returns its path. */
  writeOwn(path: string, text: string): string;
  load(changes?: Partial<LoadOptions>): Promise<LoadedSettings>;
  remove(): void;
}

/** @param options.isFirstStart Whether no cache is there, of compiled code and of the isolation that there is: slower. */
export function temporaryPerson({ isFirstStart = false } = {}): Person {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'capstan-person-')));
  const home = join(root, 'capstan');
  const project = join(root, 'project');
  mkdirSync(join(home, 'config'), { recursive: true, mode: 0o700 });
  mkdirSync(project);
  if (!isFirstStart) shareCache(home);
  const environment = { CAPSTAN_HOME: home, HOME: root, PATH: '/usr/bin:/bin' };
  return {
    home,
    project,
    environment,
    writeProject: (path, text) => write(join(project, path), text, 0o644),
    writeOwn: (path, text) => write(join(home, 'config', path), text, 0o600),
    load: ({ environment: more = {}, ...changes } = {}) =>
      loadSettings({ cwd: project, ...changes, environment: { ...environment, ...more } }),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

function write(path: string, text: string, mode: number): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode });
  return path;
}
