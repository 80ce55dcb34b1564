import type { Operation, Tier } from '../../contract/operation.ts';
import { withFullStop } from '../../contract/text/full-stop.ts';
import type { Host } from '../names/host-name.ts';

/** One rule of a rules file, its patterns compiled. */
export interface Rule {
  /** As decisions name it; a project's begins with `project:`. */
  readonly id: string;
  readonly answer: 'allow' | 'ask' | 'deny';
  /** The author's words for people. */
  readonly why?: string | undefined;
  matches(call: RuleCall): boolean;
}

/** What rules look at, of a tool call and of a model call alike. */
export interface RuleCall {
  /** `chat` for a model call. */
  readonly tool: string;
  /** `file_io.read`, `http_api.POST`; `chat` for a model call. */
  readonly operation: string;
  readonly capsuleId: string;
  readonly paths: readonly RulePath[];
  /** The tool itself omits the files below a touched folder that a rule withholds. */
  readonly isTreeFiltered: boolean;
  /** What it asks, or may reach. */
  readonly hosts: readonly Host[];
  /** Absolute. */
  readonly workspace: string;
  readonly command: Operation['command'];
  /** Every tier that the call carries. */
  readonly tiers: readonly Tier[];
  /** Maximum cost of the call; undefined if unknown. */
  readonly costMicroUsd: number | undefined;
}

/** Relative to the workspace, with `/`; `.` is the workspace. */
export interface RulePath {
  /** By the words of the call, without `..`. */
  readonly written: string;
  /** With every link followed. */
  readonly real: string;
  readonly subtree: boolean;
}

/** Step 3: any deny, else any ask, else the first allow. */
export function decidingRule(rules: readonly Rule[], call: RuleCall): Rule | undefined {
  for (const answer of ['deny', 'ask', 'allow'] as const) {
    const rule = rules.find((one) => one.answer === answer && one.matches(call));
    if (rule !== undefined) return rule;
  }
  return undefined;
}

/** For people: the rule, its answer and its reason. */
export const ruleSentence = ({ id, answer, why }: Rule): string =>
  `The rule "${id}" says ${answer}${why === undefined ? '.' : `: ${withFullStop(why)}`}`;
