import { useEffect, useRef } from 'react';
import type { Question } from '../../../../contract/documents/question-documents.ts';
import { useDocument } from '../../lib/server/use-document.ts';
import { visible } from '../../lib/text/format.ts';
import { useNow } from '../../lib/use-now.ts';
import { Mark } from '../../parts/status.tsx';
import { Ago } from '../../parts/time.tsx';
import { answerWords } from '../../question/answer-words.ts';
import { toast } from '../../shell/toast.tsx';

const SHOWN_MS = 60_000;

/** Lists the answers of the last minute, including those given elsewhere, which also show a toast. */
export function AnsweredJustNow() {
  const now = useNow().getTime();
  const { data } = useDocument<{ approvals: readonly Question[] }>(
    ['approvals', 'answered'],
    '/approvals?all=true&limit=10',
  );
  const answered = (data?.approvals ?? []).filter(
    ({ answered_at: at }) => at !== null && now - Date.parse(at) < SHOWN_MS,
  );
  const seen = useRef<Set<string> | undefined>(undefined);
  useEffect(() => {
    if (!data) return;
    const known = seen.current;
    for (const one of answered) {
      if (known && !known.has(one.id) && one.answered_by !== 'dashboard')
        toast(`${visible(one.question)} ${answerWords(one)}`);
    }
    seen.current = new Set([...(known ?? []), ...answered.map(({ id }) => id)]);
  });
  if (answered.length === 0) return null;
  return (
    <>
      <div className="head second">
        <h2>Answered just now</h2>
      </div>
      <ul className="rows gone">
        {answered.map((one) => (
          <li key={one.id} className="row q">
            <Mark status={one.answer === 'deny' ? 'denied' : 'completed'} isHidden />
            <span className="what cut">{visible(one.question)}</span>
            <span className="xs sub cut dim">{answerWords(one)}</span>
            <Ago at={one.answered_at ?? one.asked_at} />
          </li>
        ))}
      </ul>
    </>
  );
}
