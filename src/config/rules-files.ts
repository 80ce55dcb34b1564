import { join } from 'node:path';
import { expandPath, homeOf } from './places.ts';
import { readTrustedFile } from './project-files.ts';
import type { Places, Project } from './settings.ts';
import { decode, readTextFile } from './text-file.ts';

export const PROJECT_RULES = 'capstan.policy.yaml';

/** One rules file that is in force: its text, or why it can't be read. */
export type RulesSource = {
  /** Absolute. */
  readonly file: string;
  readonly origin: 'person' | 'project';
} & ({ readonly text: string } | { readonly problem: string });

export interface RulesPlaces {
  readonly places: Places;
  readonly project: Project | undefined;
  /** `--policy FILE`, in place of the person's `policy.yaml`. */
  readonly policyFile?: string | undefined;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * The rules files in force, the person's first. A project's counts only as it was trusted; one that is not trusted is
 * among the project's notices. At most 256 KiB each.
 */
export function readRulesFiles(around: RulesPlaces): readonly RulesSource[] {
  return [...personRules(around), ...projectRules(around.project)];
}

function personRules({ places, policyFile, cwd, environment }: RulesPlaces): RulesSource[] {
  const file =
    policyFile === undefined
      ? join(places.configDir, 'policy.yaml')
      : expandPath(policyFile, cwd, homeOf(environment));
  const found = readTextFile(file);
  if (found) return [{ file, origin: 'person', ...found }];
  if (policyFile === undefined) return [];
  return [
    {
      file,
      origin: 'person',
      problem: 'there is no such file. Name another, or leave --policy out.',
    },
  ];
}

function projectRules(project: Project | undefined): RulesSource[] {
  const known = project?.files.find(({ path }) => path === PROJECT_RULES);
  if (project === undefined || known?.state !== 'trusted') return [];
  const file = join(project.folder, PROJECT_RULES);
  const bytes = readTrustedFile(project, PROJECT_RULES);
  const found = bytes
    ? decode(bytes)
    : {
        problem:
          'it changed while it was read. Start again, and look at it: `capstan config trust`.',
      };
  return [{ file, origin: 'project', ...found }];
}
