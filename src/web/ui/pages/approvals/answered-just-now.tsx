import { useEffect, useRef } from 'react';
import { visible } from '../../lib/text/format.ts';
import { Mark } from '../../parts/status.tsx';
import { Ago } from '../../parts/time.tsx';
import { answerStatus, answerWords } from '../../question/answer-words.ts';
import { unsentWords } from '../../question/unsent-notes.ts';
import { useAnswered } from '../../question/use-questions.ts';
import { toast } from '../../shell/toast.tsx';

/** Lists the answers of the last minute, here or elsewhere, and shows each new one as a toast. */
export function AnsweredJustNow() {
  const answered = useAnswered();
  const seen = useRef<Set<string> | undefined>(undefined);
  useEffect(() => {
    if (!answered) return;
    const known = seen.current;
    for (const one of answered) {
      if (known && !known.has(one.id)) toast(`${visible(one.question)} ${answerWords(one)}`);
    }
    seen.current = new Set([...(known ?? []), ...answered.map(({ id }) => id)]);
  });
  if (!answered || answered.length === 0) return null;
  return (
    <>
      <div className="head second">
        <h2>Answered just now</h2>
      </div>
      <ul className="rows gone">
        {answered.map((one) => (
          <li key={one.id} className="row q">
            <Mark status={answerStatus(one)} isHidden />
            <span className="what cut">{visible(one.question)}</span>
            <span className="xs sub cut dim">
              {answerWords(one)}
              {visible(unsentWords(one.id))}
            </span>
            <Ago at={one.answered_at ?? one.asked_at} />
          </li>
        ))}
      </ul>
    </>
  );
}
