import { type RefObject, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { Question } from '../../../../../contract/documents/question-documents.ts';
import type { RunPage } from '../../../../../contract/documents/run-documents.ts';
import { plural, visible } from '../../../lib/text/format.ts';
import { Mark } from '../../../parts/status.tsx';
import { Ago } from '../../../parts/time.tsx';
import { AnswerForm } from '../../../question/answer-form.tsx';
import { answerWords } from '../../../question/answer-words.ts';
import { unsentWords } from '../../../question/unsent-notes.ts';
import { useAnswered } from '../../../question/use-questions.ts';

/** The oldest open question of the run, always visible, unless it is skipped. */
export function Dock({ page }: { page: RunPage }) {
  const [skipped, setSkipped] = useState<readonly string[]>([]);
  const open = page.questions.filter(({ status }) => status === 'pending');
  const left = open.filter(({ id }) => !skipped.includes(id));
  const [question] = left;
  const number = open.length - left.length;
  /** Whether the question before was answered or skipped here: the next one then comes into view. */
  const isFollowed = useRef(false);
  const follow = () => {
    isFollowed.current = true;
  };
  return (
    <>
      {question && (
        <DockCard
          key={question.id}
          question={question}
          more={left.length - 1}
          isFollowed={isFollowed}
          follow={follow}
          skip={() => {
            follow();
            setSkipped([...skipped, question.id]);
          }}
        />
      )}
      {number > 0 && (
        <p className="sm dim">
          {plural(number, 'question')} skipped ·{' '}
          <button type="button" className="link" onClick={() => setSkipped([])}>
            show
          </button>
        </p>
      )}
    </>
  );
}

interface DockCardProps {
  readonly question: Question;
  readonly more: number;
  readonly isFollowed: RefObject<boolean>;
  readonly follow: () => void;
  readonly skip: () => void;
}

function DockCard({ question, more, isFollowed, follow, skip }: DockCardProps) {
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isFollowed.current) card.current?.scrollIntoView({ block: 'nearest' });
    isFollowed.current = false;
  }, [isFollowed]);
  return (
    <article ref={card} className="card ask" aria-label={visible(question.question)}>
      <div className="head">
        <Mark status={question.kind === 'unknown' ? 'unknown' : 'waiting'} />
        <h2>{visible(question.question)}</h2>
        <span className="xs push wait">
          {question.subtask_id && `${question.subtask_id} · `}waiting <Ago at={question.asked_at} />
        </span>
      </div>
      <AnswerForm question={question} skip={skip} onAnswer={follow}>
        <p className="why">
          {question.why} <Link href={`/approvals/${question.id}`}>Full request</Link>
          {more > 0 && ` · ${more} more after this`}
        </p>
      </AnswerForm>
    </article>
  );
}

/** Shows for a minute who answered the newest question of the run, unless it was answered in the dashboard. */
export function AnsweredElsewhere({ runId }: { runId: string }) {
  const newest = useAnswered()?.find(({ run_id: run }) => run === runId);
  const isElsewhere = newest !== undefined && newest.answered_by !== 'dashboard';
  return (
    <p className="sm dim" role="status">
      {isElsewhere &&
        `${visible(newest.question)} ${answerWords(newest)}${visible(unsentWords(newest.id))}`}
    </p>
  );
}
