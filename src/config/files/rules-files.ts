import { join } from 'node:path';
import { expandPath, homeOf } from '../places.ts';
import { readTrustedFile } from '../project/project-files.ts';
import { settingsInvalid } from '../read/given.ts';
import type { Places, Project } from '../settings.ts';
import { decode, readTextFile } from '../yaml/text-file.ts';

export const PROJECT_RULES = 'capstan.policy.yaml';

/** A used rules file: its text, or why it can't be read. */
export type RulesSource = {
  /** Absolute. */
  readonly file: string;
  readonly origin: 'person' | 'project';
} & ({ readonly text: string } | { readonly problem: string });

export interface RulesPlaces {
  readonly places: Places;
  readonly project: Project;
  /** A rules file to use instead of the user's `policy.yaml`. */
  readonly policyFile?: string | undefined;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * The used rules files, the user's first. A project's file counts only if it is trusted; the project's notices name
 * one that is not. At most 256 KiB each.
 *
 * @throws AppError `SETTINGS_INVALID` if `policyFile` can't be read.
 */
export function readRulesFiles(around: RulesPlaces): readonly RulesSource[] {
  return [...personRules(around), ...projectRules(around.project)];
}

/** @throws AppError `SETTINGS_INVALID` if the named file can't be read. */
function personRules({ places, policyFile, cwd, environment }: RulesPlaces): RulesSource[] {
  if (policyFile === undefined) {
    const file = join(places.configDir, 'policy.yaml');
    const found = readTextFile(file);
    return found ? [{ file, origin: 'person', ...found }] : [];
  }
  const file = expandPath(policyFile, cwd, homeOf(environment));
  const found = readTextFile(file) ?? { problem: 'there is no such file. Name another one.' };
  if ('text' in found) return [{ file, origin: 'person', ...found }];
  throw settingsInvalid([{ where: file, problem: found.problem }]);
}

const CHANGED =
  'it changed while it was read. Review it, trust the project again, and start again.';

function projectRules(project: Project): RulesSource[] {
  const known = project.files.find(({ path }) => path === PROJECT_RULES);
  if (known?.state !== 'trusted') return [];
  const file = join(project.folder, PROJECT_RULES);
  const bytes = readTrustedFile(project, PROJECT_RULES);
  return [{ file, origin: 'project', ...(bytes ? decode(bytes) : { problem: CHANGED }) }];
}
