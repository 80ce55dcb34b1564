import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { AnswerBody, Question } from '../../../contract/documents/question-documents.ts';
import { Problem, post } from '../lib/server/api.ts';
import { useConnection } from '../lib/server/live.ts';
import { useForgetOffline } from '../lib/server/use-document.ts';
import { visible } from '../lib/text/format.ts';
import { Refusal } from '../parts/states.tsx';
import { keepToast } from '../shell/toast.tsx';
import { keepNote } from './unsent-notes.ts';

/**
 * Sends an answer to one question. It is only valid for exactly the request that was shown.
 *
 * @param onAnswer Called when an answer is sent.
 */
export function useAnswer(question: Question, onAnswer?: () => void) {
  const client = useQueryClient();
  const answering = useMutation({
    mutationFn: (answer: Omit<AnswerBody, 'binding'>) =>
      post(`/approvals/${question.id}/answer`, { ...answer, binding: question.binding }),
    onMutate: () => onAnswer?.(),
    onSuccess: () => keepNote(question.id, ''),
    onError: (error) => {
      // The card, which also says so, leaves with its question.
      if (!(error instanceof Problem) || error.code !== 'APPROVAL_CLOSED') return;
      const why = error.message.replace(`Question ${question.id}`, 'It');
      keepToast(visible(`${question.question} Your answer was not used. ${why}`));
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['approvals'] }),
  });
  useForgetOffline(answering);
  return answering;
}

/** The mutation that sends an answer. */
export type Answering = ReturnType<typeof useAnswer>;

/** Shows why answers are disabled, or why an answer was refused. */
export function Sending({ answering }: { answering: Answering }) {
  const { isConnected } = useConnection();
  if (answering.error) return <Refusal error={answering.error} />;
  if (answering.isPending) return <p className="sm dim">Sending</p>;
  return isConnected ? null : (
    <p className="sm dim">Answers are disabled until the connection is back.</p>
  );
}
