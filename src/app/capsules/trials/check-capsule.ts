import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { caseFolders, type FoundCase, readCases } from '../../../authoring/cases/case-files.ts';
import { checkConformance } from '../../../authoring/check/check-capsule.ts';
import type { DryRun } from '../../../authoring/check/dry-run.ts';
import { sentencesOf } from '../../../config/read/given.ts';
import { failedWith, messageOf } from '../../../contract/errors.ts';
import { didYouMean } from '../../../contract/text/closest.ts';
import type { Capsule } from '../../../registry/capsule-store.ts';
import { type Finding, warning } from '../../../registry/finding.ts';
import { lintCapsule } from '../../../registry/overlay/lint-overlay.ts';
import { ASK_PERSON } from '../../../tools/ask-person.ts';
import { toolbox } from '../../../tools/toolbox.ts';
import type { AppContext } from '../../context/open-context.ts';
import { findAuthored, loadCapsules } from '../load-capsules.ts';
import { upgradeShims } from '../share/upgrade-shims.ts';
import { openTrialSession, type TrialOptions } from './open-trial-session.ts';

export interface CheckOptions extends Omit<TrialOptions, 'live' | 'onLive' | 'onEvent'> {
  /** Whether warnings fail the check too. Default: only errors do. */
  readonly strict?: boolean | undefined;
}

export interface CheckedCapsule {
  /** Its id, or the name that was given if it can't be read. */
  readonly id: string;
  readonly isOk: boolean;
  /** By file, then by line. */
  readonly findings: readonly Finding[];
  /** Of each task kind, one with every request granted and one with every request refused. */
  readonly runs: readonly DryRun[];
}

/** Implements `capsules.check`. */
export async function checkCapsule(context: AppContext, named: string, options: CheckOptions = {}) {
  await upgradeShims(context);
  const loaded = await loadCapsules(context, options, named);
  const report = ({ id, findings, runs }: Omit<CheckedCapsule, 'isOk'>): CheckedCapsule => {
    const isOk = !findings.some(({ severity }) => options.strict === true || severity === 'error');
    const inOrder = findings.toSorted((one, other) => byPlace.compare(one.where, other.where));
    return { id, isOk, findings: inOrder, runs };
  };
  let capsule: Capsule;
  try {
    capsule = findAuthored(loaded, named);
  } catch (error) {
    if (failedWith(error, 'USAGE') || failedWith(error, 'CAPSULE_UNKNOWN')) throw error;
    const findings = unreadableCapsule(resolve(context.cwd, named), error);
    return report({ id: named, findings, runs: [] });
  }
  const subject = { capsule, command: 'check' } as const;
  await using session = await openTrialSession(loaded, subject, options);
  const { trials, skills, signal } = session;
  const tools = [...toolbox.keys()];
  const ofText = lintCapsule({ capsule, skills: skills.list(), tools });
  const granted = [ASK_PERSON, ...Object.keys(capsule.manifest.grants.tools)];
  const ofCases = await checkCases(caseFolders(loaded.personal, capsule), { tools, granted });
  const { runs, findings } = await checkConformance(capsule, { ...trials, signal });
  const all = [...ofText, ...strayCases(capsule), ...ofCases, ...findings];
  return report({ id: capsule.id, runs, findings: all });
}

/** By file, then by line: `/…/skill.md:3`. */
const byPlace = new Intl.Collator('en', { numeric: true });

/** The findings about a folder that can't be read as a capsule. @param error Why. */
function unreadableCapsule(folder: string, error: unknown): Finding[] {
  const severity = 'error';
  if (failedWith(error, 'MANIFEST_INVALID'))
    return error.details.found.map((one) => ({ rule: 'manifest.schema', severity, ...one }));
  if (failedWith(error, 'OVERLAY_INVALID')) {
    const { path: where, problem } = error.details;
    return [{ rule: 'overlay.file', severity, where, ...sentencesOf(problem) }];
  }
  return [{ rule: 'capsule.folder', severity, where: folder, ...sentencesOf(messageOf(error)) }];
}

interface KnownTools {
  /** Names of all tools. */
  readonly tools: readonly string[];
  /** Those that the manifest grants, and the one that every capsule has. */
  readonly granted: readonly string[];
}

/** A file for all cases is not read, and without a word its cases would seem to pass. */
const strayCases = ({ dir }: Capsule): Finding[] =>
  ['cases.yaml', 'cases.yml']
    .map((name) => join(dir, name))
    .filter((path) => existsSync(path))
    .map((path) => {
      const fix = `Move each case into a file of its own: ${join(dir, 'cases', 'first.yaml')}.`;
      return warning('case.place', path, 'this file is not read', fix);
    });

/** Whether the cases in these folders are valid. Does not run them. */
async function checkCases(folders: readonly string[], known: KnownTools): Promise<Finding[]> {
  try {
    const cases = await readCases(folders);
    return cases.flatMap((found) => wrongTools(found, known));
  } catch (error) {
    if (!failedWith(error, 'CASE_INVALID')) throw error;
    return error.details.found.map((one) => ({ rule: 'case.schema', severity: 'error', ...one }));
  }
}

/** With a misspelled tool, a call that must not be made would always pass; without its grant, no call can. */
function wrongTools({ path, wanted }: FoundCase, { tools, granted }: KnownTools): Finding[] {
  const { tool_calls = [], no_tool_calls = [] } = wanted.expect;
  const called = tool_calls.map(({ tool }) => tool);
  const named = new Set([...called, ...no_tool_calls.map(({ tool }) => tool)]);
  return [...named].flatMap((tool) => {
    const unknown = `expect: there is no tool "${tool}"`;
    if (!tools.includes(tool)) return warning('case.tool', path, unknown, didYouMean(tool, tools));
    if (!called.includes(tool) || granted.includes(tool)) return [];
    const fix = 'Add it to grants.tools of the manifest, or expect another call.';
    return warning('case.grant', path, `expect: the tool "${tool}" is not granted`, fix);
  });
}
