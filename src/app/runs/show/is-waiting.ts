import type { RunStatus, SubtaskStatus } from '../../../contract/status.ts';

interface WaitingFacts {
  readonly status: RunStatus;
  readonly openQuestions: number;
  readonly steps: readonly { readonly status: SubtaskStatus }[];
}

/** Whether a running run goes on only after a person's answer: it has an open question, and none of its steps works. */
export const isWaiting = ({ status, openQuestions, steps }: WaitingFacts): boolean =>
  status === 'running' && openQuestions > 0 && steps.every((step) => step.status !== 'running');
