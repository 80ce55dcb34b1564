import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { AnswerBody, Question } from '../../../contract/documents/question-documents.ts';
import { post } from '../lib/api.ts';

/** Sends an answer to one question. It is only valid for exactly the request that was shown. */
export function useAnswer(question: Question) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (answer: Omit<AnswerBody, 'binding'>) =>
      post(`/approvals/${question.id}/answer`, { ...answer, binding: question.binding }),
    onSettled: () => client.invalidateQueries({ queryKey: ['approvals'] }),
  });
}

/** The mutation that sends an answer. */
export type Answering = ReturnType<typeof useAnswer>;
