import type { Operation, Tier } from '../../contract/permissions/operation.ts';
import { withFullStop } from '../../contract/text/full-stop.ts';
import type { Decision } from '../decide/decision.ts';
import type { Host } from '../names/host-name.ts';

/** One rule of a rules file, with compiled patterns. */
export interface Rule {
  /** Its name in decisions; that of a project's rule begins with `project:`. */
  readonly id: string;
  readonly answer: 'allow' | 'ask' | 'deny';
  readonly why?: string | undefined;
  matches(call: RuleCall): boolean;
}

/** The facts of a tool call or a model call for rules. */
export interface RuleCall {
  /** `chat` for a model call. */
  readonly tool: string;
  /** `file_io.read`, `http_api.POST`; `chat` for a model call. */
  readonly operation: string;
  readonly capsuleId: string;
  readonly paths: readonly RulePath[];
  /** The tool itself omits the files below a touched folder that a rule withholds. */
  readonly isTreeFiltered: boolean;
  /** The hosts that it contacts or may contact. */
  readonly hosts: readonly Host[];
  /** Absolute. */
  readonly workspace: string;
  readonly command: Operation['command'];
  readonly tiers: readonly Tier[];
  /** Maximum cost of the call; undefined if unknown. */
  readonly costMicroUsd: number | undefined;
}

/** Relative to the workspace, with `/`; `.` is the workspace. */
export interface RulePath {
  /** As written in the call, without `..`. */
  readonly written: string;
  /** With all links resolved. */
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

/** Step 3, as a decision. */
export function decideByRules(
  rules: readonly Rule[] | 'unreadable' = [],
  call: () => RuleCall,
  question: () => string,
): Decision | undefined {
  if (rules === 'unreadable' || rules.length === 0) return undefined;
  const rule = decidingRule(rules, call());
  if (rule === undefined) return undefined;
  const { id, answer, why } = rule;
  const sentence = `The rule "${id}" says ${answer}${why === undefined ? '.' : `: ${withFullStop(why)}`}`;
  const about = { step: 3, rule: id, sentence } as const;
  if (answer === 'allow') return { kind: answer, ...about };
  if (answer === 'deny') return { kind: answer, ...about, reason: 'denied' };
  return { kind: answer, ...about, question: question(), forced: false };
}
