import type { Approval } from '../broker/approvals.ts';

/** Whether an answer may be given again: to what tools do, unless only a person may answer. */
export const canRemember = ({ isForced, kind }: Pick<Approval, 'isForced' | 'kind'>): boolean =>
  !isForced && kind === 'tool';
