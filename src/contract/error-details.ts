import type { NextAction } from './next.ts';
import { closest } from './text/closest.ts';

/** A problem of one settings value. */
export interface SettingProblem {
  /** The value and its source: `CAPSTAN_CONCURRENCY = "many" (environment)`. */
  readonly where: string;
  /** Sentences with the problem and the fix. */
  readonly problem: string;
  /** The option of the call that gave the value: `budgetUsd`. */
  readonly option?: { readonly name: string; readonly value: string };
}

/** A problem at one location in a file. */
export interface Located {
  /** `/…/manifest.json:12` */
  readonly where: string;
  /** Without a full stop. */
  readonly problem: string;
  /** The fix, as a sentence. */
  readonly fix: string;
}

/** The end of a capsule process. Unknown fields are omitted. */
export interface ProcessEnd {
  readonly exitCode?: number | undefined;
  readonly signal?: string | undefined;
  /** The end of its stderr output. */
  readonly stderrTail?: string | undefined;
}

/** The end of the stderr output, as a paragraph of a message. Empty if there is none. */
export function stderrText({ stderrTail }: ProcessEnd): string {
  const text = stderrTail?.trim();
  return text ? `\nThe end of its stderr:\n${text}` : '';
}

/** The message of an error, and what helps. */
export interface Explanation {
  readonly message: string;
  readonly next: readonly NextAction[];
}

/** Discarded changes of a tool. */
export interface DiscardDetails {
  readonly tool: string;
  /** Paths in private folders. */
  readonly places: readonly string[];
  readonly exitCode: number | null;
  /** Its last output; empty if it printed nothing. */
  readonly output: string;
}

/** The exit code and output of the tool, after a space; empty if it printed nothing. */
export const endingOf = ({ exitCode, output }: DiscardDetails): string =>
  output === '' ? '' : ` Exit code ${exitCode ?? 'none'}, output:\n${output}`;

/** An error in this file of a capsule: its folder can be checked. The path may end with a line. */
export const inCapsule = (path: string, problem: string) => ({
  message: `${path}${problem}`,
  next: [
    { action: 'check_capsule', id: `${path}`.replace(/\/[^/]+\.[a-z]+(?::\d+)?$/i, '') },
  ] as const,
});

/** Says why a capsule gets no tasks, and what ends that. */
export const quarantined = (d: { id: string; reason: string; since: string }) => ({
  message: `Capsule "${d.id}" has been quarantined since ${d.since}: ${d.reason}. Correct its files, which ends a quarantine for failures, or restore it if you trust it.`,
  next: [
    { action: 'test_capsule', id: d.id },
    { action: 'inspect_capsule', id: d.id },
    { action: 'restore_capsule', id: d.id },
  ] as const,
});

const NOT_TRUSTED = 'is not trusted as it is now. Review its files, then trust them.';

/** A capsule that was named and can't be used. */
interface UnknownCapsule {
  readonly id: string;
  readonly known: readonly string[];
  /** Whether the project has it, and it is not trusted. Default: false. */
  readonly isUntrusted?: boolean;
}

/** Says that there is no such capsule, and suggests a reason. */
export function unknownCapsuleText({ id, known, isUntrusted }: UnknownCapsule): string {
  if (isUntrusted === true) return `Capsule "${id}" of this project ${NOT_TRUSTED}`;
  const meant = closest(`${id}`, known);
  const why = meant === undefined ? '' : ` Did you mean ${meant}?`;
  return `There is no capsule "${id}".${why} Known: ${known.join(', ')}.`;
}

/** A skill that a capsule names and can't use. */
interface UnknownSkill extends Omit<UnknownCapsule, 'id'> {
  readonly skill: string;
  /** The file that names it. */
  readonly where: string;
}

/** The message about a skill that does not exist, or that is not trusted. */
export const unknownSkill = ({ skill, where, known, isUntrusted }: UnknownSkill) =>
  isUntrusted === true
    ? `${where} names the skill "${skill}" of this project, which ${NOT_TRUSTED}`
    : inCapsule(
        where,
        ` names the skill "${skill}", which does not exist. Known: ${known.join(', ')}.`,
      );

/** Why a run can't be resumed, and what can. `isTask`: false if it checks models or tries a capsule. */
export const notResumable = (run: { readonly status: string; readonly isTask: boolean }): string =>
  run.isTask
    ? `it is ${run.status}. Only parked and failed runs can be resumed.`
    : 'it checks models or tries a capsule. Start the check or the trial again.';
