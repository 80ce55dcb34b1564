import { useRef } from 'react';
import type { Question } from '../../../contract/documents/question-documents.ts';
import { useKeys } from '../lib/use-keys.ts';
import { isOfCapsule } from './answer-words.ts';

interface NoteProps {
  readonly question: Question;
  readonly note: string;
  readonly set: (note: string) => void;
}

/** The field for a note that is sent with an answer. The answer to a question of a capsule has none. */
export function Note({ question, note, set }: NoteProps) {
  const field = useRef<HTMLInputElement>(null);
  useKeys({ m: () => field.current?.focus() });
  if (question.kind === 'question') return null;
  const reader = isOfCapsule(question) ? question.capsule_id : 'the run';
  return (
    <div className="notebox">
      <label className="field">
        <span>Note to {reader}, sent with your answer</span>
        <input
          ref={field}
          className="in note"
          value={note}
          maxLength={2_000}
          onChange={(event) => set(event.target.value)}
          placeholder="Optional note, for example: leave the comment out"
        />
      </label>
    </div>
  );
}
