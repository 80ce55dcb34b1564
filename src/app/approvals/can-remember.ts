import type { Approval } from '../../contract/approval.ts';

/** Whether an answer may be given again: to what tools do (`tool.verb`) and to spending, unless only a person may answer. */
export const canRemember = ({
  isForced,
  kind,
  operation,
}: Pick<Approval, 'isForced' | 'kind' | 'operation'>): boolean =>
  !isForced && (kind === 'spend' || (kind === 'tool' && operation.includes('.')));
