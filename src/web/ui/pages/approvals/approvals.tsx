import { useEffect, useMemo, useState } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import type { Question } from '../../../../contract/documents/question-documents.ts';
import { path } from '../../lib/server/api.ts';
import { useDocument } from '../../lib/server/use-document.ts';
import {
  capsuleName,
  folderName,
  plural,
  shortId,
  visible,
  visibleProse,
} from '../../lib/text/format.ts';
import { useKeys } from '../../lib/use-keys.ts';
import { Button } from '../../parts/input/button.tsx';
import { Empty, EmptyList, Loading, Pending } from '../../parts/states.tsx';
import { Mark } from '../../parts/status.tsx';
import { Ago } from '../../parts/time.tsx';
import { Top } from '../../parts/top.tsx';
import { answerWords } from '../../question/answer-words.ts';
import { QuestionCard } from '../../question/card.tsx';
import { useQuestions } from '../../question/use-questions.ts';
import { AnsweredJustNow } from './answered-just-now.tsx';
import { Remembered } from './remembered.tsx';

/** The open questions as a queue with keyboard control. */
export default function Approvals() {
  const all = useQuestions();
  const { data } = all;
  const questions = useMemo(() => (data?.approvals ?? []).toReversed(), [data]);
  const { id } = useParams<{ id?: string }>();
  const [, go] = useLocation();
  /** The question that was shown last. Once it is answered, the one in its place follows. */
  const [shown, setShown] = useState({ id: '', place: 0 });
  const isMissing = id !== undefined && id !== shown.id;
  const next = questions[Math.min(shown.place, questions.length - 1)];
  const selected = withId(questions, id) ?? (isMissing ? undefined : next);
  const place = selected ? questions.indexOf(selected) : -1;
  const move = (by: number) => {
    const other = questions[Math.min(questions.length - 1, Math.max(0, place + by))];
    if (other) go(`/approvals/${other.id}`, { replace: true });
  };
  const skip = () => move(place === questions.length - 1 ? -place : 1);
  useKeys({ j: () => move(1), k: () => move(-1) });
  useEffect(() => {
    if (!selected) return;
    if (selected.id !== id) go(`/approvals/${selected.id}`, { replace: true });
    setShown({ id: selected.id, place });
  }, [selected, id, place, go]);
  if (all.error && !data) return <Pending of={all} />;
  return (
    <>
      <Top title="Approvals" meta={<span>{summary(questions)}</span>}>
        <NotifyButton />
      </Top>
      {!data && <Loading />}
      {data && (
        <div className="inbox">
          <section className="card list" aria-label="Queue">
            <div className="head">
              <h2>Waiting</h2>
              {questions.length > 0 && <span className="count">{questions.length}</span>}
              <span className="push keys">
                <span>
                  <kbd>j</kbd>
                  <kbd>k</kbd>move
                </span>
              </span>
            </div>
            <ul className="rows">
              {questions.map((one) => (
                <Row key={one.id} question={one} isSelected={one.id === selected?.id} />
              ))}
            </ul>
            <AnsweredJustNow />
            <Remembered />
          </section>
          {selected ? (
            <QuestionCard
              key={selected.id}
              question={selected}
              skip={skip}
              isChosen={id !== undefined}
            />
          ) : (
            <NoQuestion id={isMissing ? id : undefined} />
          )}
        </div>
      )}
    </>
  );
}

/** The command line shows the last characters of an id, at least this many. */
const MIN_ID_CHARACTERS = 8;

/** The question with this id, or the only one whose id ends with it. */
function withId(questions: readonly Question[], id = ''): Question | undefined {
  const isEnd = id.length >= MIN_ID_CHARACTERS;
  const matches = questions.filter((one) => one.id === id || (isEnd && one.id.endsWith(id)));
  return matches.length === 1 ? matches[0] : undefined;
}

/** Shown instead of a question: nothing waits, or the one with this id does not. */
const NoQuestion = ({ id }: { id: string | undefined }) => (
  <section className="card">
    {id === undefined ? (
      <EmptyList title="Nothing waits for you.">
        Questions of your runs appear here, and in the title of this page.
      </EmptyList>
    ) : (
      <Closed id={id} />
    )}
  </section>
);

/** A question that is not open: how and when it was answered. */
function Closed({ id }: { id: string }) {
  const { data, error } = useDocument<Question>(['approvals', id], path`/approvals/${id}`);
  // The list does not have a question yet that was just asked.
  if (data ? data.status === 'pending' : !error) return <Loading />;
  if (!data) return <Empty title={`There is no open question ${visible(id)}.`} />;
  return (
    <Empty title={visible(data.question)}>
      {answerWords(data)} <Ago at={data.answered_at ?? data.asked_at} />
      {' · '}
      <Link className="link" href={`/runs/${data.run_id}`}>
        Open its run
      </Link>
    </Empty>
  );
}

function summary(questions: readonly Question[]): string {
  if (questions.length === 0) return 'Nothing waits for you.';
  const runs = new Set(questions.map(({ run_id }) => run_id)).size;
  const many = questions.length === 1 ? '1 waits' : `${questions.length} wait`;
  return `${many} for you in ${plural(runs, 'run')}.`;
}

const intoView = (row: HTMLElement | null): void => {
  row?.scrollIntoView({ block: 'nearest' });
};

const Row = ({ question, isSelected }: { question: Question; isSelected: boolean }) => (
  <li>
    <Link
      ref={isSelected ? intoView : null}
      className="row q"
      href={`/approvals/${question.id}`}
      aria-current={isSelected ? 'true' : undefined}
    >
      <Mark status={question.kind === 'unknown' ? 'unknown' : 'waiting'} />
      <span className="what cut">{visible(question.question)}</span>
      <span className="xs faint cut sub">
        {capsuleName(question.capsule_id)}
        {question.kind === 'question' ? ' asks you' : ''} · {folderName(question.workspace)} ·{' '}
        {shortId(question.run_id)}
      </span>
      <span className="xs faint cut task">
        {visibleProse(question.task.trim().split('\n')[0] ?? '')}
      </span>
      <Ago at={question.asked_at} />
    </Link>
  </li>
);

/** Asks the browser for permission to show notifications. */
function NotifyButton() {
  const [permission, setPermission] = useState(() =>
    typeof Notification === 'undefined' ? 'denied' : Notification.permission,
  );
  if (permission !== 'default') {
    return permission === 'granted' ? <span className="sm dim">Notifications are on</span> : null;
  }
  return (
    <Button
      word="Notify me"
      onClick={async () => setPermission(await Notification.requestPermission())}
    />
  );
}
