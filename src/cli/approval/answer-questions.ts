import type { Capstan } from '../../app/open-capstan.ts';
import { failedWith } from '../../contract/errors.ts';
import type { CapstanEvent } from '../../contract/event.ts';
import { printError } from '../errors/print-error.ts';
import type { TerminalApprover } from './terminal-approver.ts';

/**
 * Answers the questions of a run at this terminal: asks each as it opens, and closes the prompt when it is answered
 * elsewhere or the run stops waiting. Returns the listener of the run's events.
 */
export function answerQuestions(
  { approvals }: Pick<Capstan, 'approvals'>,
  approver: Asking['approver'],
  stderr: (text: string) => void,
): (event: CapstanEvent) => void {
  const open = new Map<string, AbortController>();
  const ask = async (id: string): Promise<void> => {
    const closed = new AbortController();
    open.set(id, closed);
    try {
      await askAndAnswer(id, { approvals, approver, stderr, signal: closed.signal });
    } catch (error) {
      printError({ stderr }, error);
    }
  };
  const close = (id: string) => {
    open.get(id)?.abort();
    open.delete(id);
  };
  return (event) => {
    if (event.type === 'approval.asked') {
      close(event.approval_id);
      void ask(event.approval_id);
    } else if (event.type === 'approval.decided') close(event.approval_id);
    else if (event.type === 'run.ended') [...open.keys()].forEach(close);
  };
}

interface Asking {
  readonly approvals: Capstan['approvals'];
  readonly approver: Pick<TerminalApprover, 'ask'>;
  readonly stderr: (text: string) => void;
  /** Aborted when the question is answered elsewhere or the run stops waiting. */
  readonly signal: AbortSignal;
}

/** Asks again if the answer is invalid, for example if its pattern does not match the request. */
async function askAndAnswer(id: string, asking: Asking): Promise<void> {
  const { approvals, approver, stderr, signal } = asking;
  const approval = await approvals.get(id);
  for (;;) {
    const given = await approver.ask(approval, signal);
    if (!given) return;
    try {
      await approvals.answer(id, { ...given, binding: approval.binding });
      return;
    } catch (error) {
      if (failedWith(error, 'APPROVAL_CLOSED')) return;
      if (!failedWith(error, 'USAGE')) throw error;
      printError({ stderr }, error, []);
    }
  }
}
