import { type ReactNode, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Question } from '../../../contract/documents/question-documents.ts';
import { Answers } from './answers.tsx';
import { Asked } from './asked.tsx';
import { Note } from './note.tsx';
import { isBlank } from './plan-steps.tsx';
import { keepNote, unsentNote } from './unsent-notes.ts';
import { useAnswer } from './use-answer.tsx';
import { type Reading, useReading } from './use-reading.ts';

interface AnswerFormProps {
  readonly question: Question;
  readonly skip: () => void;
  readonly onAnswer?: () => void;
  /** Shown between what is asked and the answers. */
  readonly children: ReactNode;
}

/** What one question asks, and its answers. */
export function AnswerForm({ question, skip, onAnswer, children }: AnswerFormProps) {
  const answering = useAnswer(question, onAnswer);
  const [first] = useState(question.editable_steps);
  const [steps, setSteps] = useState(first);
  const [note, setNote] = useState(() => unsentNote(question.id));
  const set = (text: string) => {
    setNote(text);
    keepNote(question.id, text);
  };
  const reading = useReading(question.binding);
  const [isChecked, setChecked] = useState(false);
  const checkSteps = (): boolean => {
    const isBad = steps?.some(isBlank) ?? false;
    flushSync(() => setChecked(isBad));
    if (isBad) reading.place.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    return !isBad;
  };
  return (
    <>
      {reading.held && (
        <p className="why wait held" role="status">
          Nothing was sent: {heldBecause(reading)}
        </p>
      )}
      <Asked
        question={question}
        reading={reading}
        planned={first}
        steps={steps}
        change={(changed) => {
          setSteps(changed);
          setChecked(false);
        }}
        isChecked={isChecked}
        isDisabled={answering.isPending || question.status !== 'pending'}
      />
      {children}
      <Note question={question} note={note} set={set} />
      <Answers
        question={question}
        answering={answering}
        note={note}
        skip={skip}
        reading={reading}
        checkSteps={checkSteps}
        steps={steps === first ? undefined : (steps ?? undefined)}
      />
    </>
  );
}

function heldBecause({ held, isRead }: Reading): string {
  if (held === 'question') return 'the question was not in view. Answer again to send it.';
  return isRead
    ? 'the end of the request was not shown before. Answer again to send it.'
    : 'the request goes on. Answer again to show more of it.';
}
