import { type FormEvent, useState } from 'react';
import type { Question } from '../../../contract/documents/question-documents.ts';
import { visible } from '../lib/text/format.ts';
import { useKeys } from '../lib/use-keys.ts';
import { Button } from '../parts/input/button.tsx';
import type { Answering } from './use-answer.tsx';
import { Sending } from './use-answer.tsx';

const words: Readonly<Record<string, string>> = {
  it_happened: 'It happened',
  do_it: 'Do it',
  abandon: 'Abandon the step',
  none: 'None of these',
  approve: 'Allow once',
  deny: 'Deny once',
};

/** The label of a choice: `log-analyst` for `capsule:log-analyst`. */
const wordOf = (choice: string) => words[choice] ?? visible(choice.replace(/^capsule:/, ''));

interface ChoicesProps {
  readonly question: Question;
  readonly answering: Answering;
  readonly send: (answer: string) => void;
  readonly skip: () => void;
  readonly canAnswer: boolean;
}

/** Choices with digits, and a text field if free text is allowed. Nothing is preselected. */
export function Choices(props: ChoicesProps) {
  const { question, answering, send, skip, canAnswer } = props;
  const { choices, free_text: hasText } = question;
  const [text, setText] = useState('');
  useKeys(
    Object.fromEntries(choices.map((choice, index) => [String(index + 1), () => send(choice)])),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== '') send(text.trim());
  };
  return (
    <form onSubmit={submit}>
      <div className="body sm choices">
        {choices.map((choice, index) => (
          <button
            key={choice}
            type="button"
            className="btn"
            disabled={!canAnswer}
            onClick={() => send(choice)}
          >
            <kbd>{index + 1}</kbd>
            {wordOf(choice)}
          </button>
        ))}
      </div>
      <div className="answers">
        {hasText && (
          <>
            <input
              className="in grow"
              aria-label="Your own answer"
              placeholder={choices.length > 0 ? 'Or in your own words' : 'Your answer'}
              value={text}
              maxLength={4_000}
              onChange={(event) => setText(event.target.value)}
            />
            <Button word="Send" type="submit" disabled={!canAnswer || text.trim() === ''} />
          </>
        )}
        <Button word="Skip" look="quiet" hotkey="s" onClick={skip} />
        <Sending answering={answering} />
      </div>
    </form>
  );
}
