import type { ApprovalKind } from '../../../../contract/approval.ts';
import type { CapstanEvent, EventOf } from '../../../../contract/event.ts';
import type { WaitingQuestion } from '../../question/question-part.ts';

/** The questions of live runs that wait for a person, oldest first. */
export interface WaitingQuestions {
  readonly all: readonly ListedQuestion[];
  /** The oldest that was not skipped. */
  next(): ListedQuestion | undefined;
  /** Applies an event to the list. Returns the change. */
  note(event: CapstanEvent): ListChange | undefined;
  remove(question: ListedQuestion): void;
}

export interface ListedQuestion extends WaitingQuestion {
  isSkipped: boolean;
}

export type ListChange =
  | { readonly what: 'asked' }
  | {
      readonly what: 'closed';
      readonly questions: readonly ListedQuestion[];
      /** Undefined: the run no longer waits. */
      readonly by?: { readonly answer: string; readonly by: string };
    };

/** Creates an empty list. `note` fills it from the events of runs. */
export function createWaitingQuestions(): WaitingQuestions {
  const all: ListedQuestion[] = [];
  const remove = (question: ListedQuestion) => {
    const at = all.indexOf(question);
    if (at >= 0) all.splice(at, 1);
  };
  const close = (isClosed: (question: ListedQuestion) => boolean) => {
    const questions = all.filter(isClosed);
    questions.forEach(remove);
    return questions;
  };
  const add = (event: EventOf<'approval.asked'>) => {
    const { approval_id: approvalId, run_id: runId } = event;
    if (all.some((one) => one.approvalId === approvalId)) return undefined;
    all.push({ approvalId, runId, kind: event.kind as ApprovalKind, isSkipped: false });
    return { what: 'asked' } as const;
  };
  return {
    all,
    remove,
    next: () => all.find(({ isSkipped }) => !isSkipped),
    note(event) {
      if (event.type === 'approval.asked') return add(event);
      if (event.type === 'approval.decided') {
        const { answer, by, approval_id: id } = event;
        const questions = close(({ approvalId }) => approvalId === id);
        return { what: 'closed', questions, by: { answer, by } };
      }
      if (event.type !== 'run.ended') return undefined;
      return { what: 'closed', questions: close(({ runId }) => runId === event.run_id) };
    },
  };
}
