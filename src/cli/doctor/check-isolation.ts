import { openIsolation } from '../../app/wiring/isolation.ts';
import type { Settings } from '../../config/settings.ts';
import { levelSentences } from '../../runtime/sandbox/level.ts';
import {
  type SelfTestName,
  type SelfTestResult,
  selfTest,
  selfTests,
  type Who,
} from '../../runtime/sandbox/self-test.ts';
import { findFailings } from '../../runtime/sandbox/verdict.ts';
import { formatTable } from '../format.ts';
import { type Check, fail, ok, warn } from './check.ts';

/** The level that runs would be isolated at, and why it is no better. */
export async function checkIsolation(settings: Settings): Promise<Check> {
  const name = 'isolation';
  const { level, reason } = await openIsolation(settings, false);
  const found = `${level}: ${levelSentences[level]} (${reason})`;
  const fix = 'Install bubblewrap: apt-get install bubblewrap.';
  if (level === 'A') return ok(name, found);
  return level === 'none' ? fail(name, found, fix) : warn(name, found, fix);
}

/** What children of each kind could do, as they were just let try. */
export interface IsolationReport {
  readonly level: string;
  readonly reason: string;
  readonly children: readonly IsolationTrial[];
}

export interface IsolationTrial {
  readonly who: Who;
  /** By name of what was tried: `done`, or the code of what kept it from being done. */
  readonly found: SelfTestResult;
  /** What it did that its level promises to prevent. */
  readonly failings: readonly string[];
  /** Why none of the kind is started. */
  readonly problem: string | undefined;
}

const kinds: readonly Who[] = ['capsule', 'reading tool', 'writing tool'];

/** Starts one child of each kind at the level in force and lets it try everything. */
export async function reportIsolation(settings: Settings): Promise<IsolationReport> {
  const { level, reason, sandbox } = await openIsolation(settings, false);
  const { configDir, stateDir, dataDir, cacheDir } = settings.places;
  const places = [stateDir, configDir, dataDir, cacheDir];
  const children: IsolationTrial[] = [];
  for (const who of kinds) {
    try {
      const found = await selfTest(sandbox, who, { places, isThorough: true });
      const failings = findFailings(level, who, found);
      children.push({ who, found, failings, problem: undefined });
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      children.push({ who, found: {}, failings: [], problem });
    }
  }
  return { level, reason, children };
}

/** Every promise of the level was kept, and what it starts could be started: no tool is, at level C. */
export const isKept = ({ level, children }: IsolationReport): boolean =>
  children.every(({ who, failings, problem }) =>
    problem === undefined ? failings.length === 0 : level === 'C' && who !== 'capsule',
  );

/** The report as a table for a terminal. */
export function isolationText(report: IsolationReport): string {
  const { level, reason, children } = report;
  const names = Object.keys(selfTests) as SelfTestName[];
  const rows = names.map((name) => [
    selfTests[name],
    ...children.map(({ found, problem }) => told(found[name], problem)),
  ]);
  const table = formatTable([['what was tried', ...children.map(({ who }) => who)], ...rows]);
  const broken = children.flatMap(({ who, failings }) =>
    failings.map((what) => `A ${who} could ${what}, which level ${level} promises to prevent.`),
  );
  const end =
    broken.length === 0 ? `All that level ${level} promises was kept.` : broken.join('\n');
  return `Isolation level ${level}: ${reason}\n\n${table}\n${end}\n`;
}

function told(outcome: string | undefined, problem: string | undefined): string {
  if (problem !== undefined) return 'not started';
  if (outcome === undefined) return '–';
  return outcome === 'done' ? 'yes' : `no (${outcome})`;
}
