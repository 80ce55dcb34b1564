/** Something that a check of a capsule has found. */
export interface Finding {
  /** Stable name of what was checked: `overlay.variable`. */
  readonly rule: string;
  /** An error stops a capsule from working, or breaks a promise of the protocol; a warning is for its author to judge. */
  readonly severity: 'error' | 'warning';
  /** `/…/skill.md:12` */
  readonly where: string;
  readonly problem: string;
  /** What to do about it. */
  readonly fix: string;
}

type Report = (rule: string, where: string, problem: string, fix: string) => Finding;

const reportAs =
  (severity: Finding['severity']): Report =>
  (rule, where, problem, fix) => ({ rule, severity, where, problem, fix });

export const fault = reportAs('error');
export const warning = reportAs('warning');
