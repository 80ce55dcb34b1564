import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import type { Question, QuestionHistory } from '../../../contract/documents/question-documents.ts';
import { tierWords } from '../../../contract/text/tier-words.ts';
import { path } from '../lib/server/api.ts';
import { useDocument } from '../lib/server/use-document.ts';
import { money, shortId, visible } from '../lib/text/format.ts';
import { Pairs } from '../parts/figures/pairs.tsx';
import { Mark } from '../parts/status.tsx';
import { Ago, At } from '../parts/time.tsx';
import { AnswerForm } from './answer-form.tsx';
import { isOfCapsule } from './answer-words.ts';

interface QuestionCardProps {
  readonly question: Question;
  readonly skip: () => void;
  /** Whether the person went to this question. If it is above, or the queue is above it, it comes into view. */
  readonly isChosen: boolean;
}

/** The card is below the queue, as in approvals.css. */
const ONE_COLUMN = '(width < 56.25rem)';

/** One question in full with its answers. The card itself is focused when it opens, so that Enter answers nothing. */
export function QuestionCard({ question, skip, isChosen }: QuestionCardProps) {
  const card = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each question
  useEffect(() => {
    card.current?.focus({ preventScroll: true });
    const isAbove = (card.current?.getBoundingClientRect().top ?? 0) < 0;
    if (isChosen && (isAbove || matchMedia(ONE_COLUMN).matches)) card.current?.scrollIntoView();
  }, [question.id]);
  return (
    <article ref={card} className="card ask one" tabIndex={-1} aria-labelledby="question-title">
      <div className="head">
        <Mark status={question.kind === 'unknown' ? 'unknown' : 'waiting'} />
        <h2 id="question-title">{visible(question.question)}</h2>
        <span className="xs push wait">
          waiting <Ago at={question.asked_at} /> ·{' '}
          {question.expires_at ? (
            <>
              until <At at={question.expires_at} />
            </>
          ) : (
            'no deadline'
          )}
        </span>
      </div>
      <Facts question={question} />
      <AnswerForm question={question} skip={skip}>
        <Reasons question={question} />
      </AnswerForm>
    </article>
  );
}

function Facts({ question }: { question: Question }) {
  const { capsule_id: capsule, cost_usd: cost, run_id: run, subtask_id: step } = question;
  const link = (href: string, word: string) => (
    <Link className="link" href={href}>
      {word}
    </Link>
  );
  const facts = [
    ['Who', isOfCapsule(question) ? link(path`/capsules/${capsule}`, capsule) : 'Capstan'],
    ['What', <code key="what">{question.operation}</code>],
    ['Kind', `${tierWords(question.operation, question.tier)} · tier ${question.tier}`],
    ['Cost', cost === null ? 'unknown' : money(cost)],
    ['For', link(`/runs/${run}`, `${step ? `${step} in ` : ''}${shortId(run)}`)],
  ] as const;
  return <Pairs className="facts pad" pairs={facts} />;
}

function Reasons({ question }: { question: Question }) {
  return (
    <div className="reasons">
      <section>
        <h3>Why you are asked</h3>
        <p className="sm">{question.why}</p>
        {question.is_forced && <p className="sm dim">Only a person can answer this.</p>}
      </section>
      {isOfCapsule(question) && <OfCapsule question={question} />}
    </div>
  );
}

/** The reason that the capsule gave, and the answers to its earlier requests of this kind. */
function OfCapsule({ question }: { question: Question }) {
  const { data } = useDocument<QuestionHistory>(
    ['approvals', question.id, 'history'],
    `/approvals/${question.id}/history`,
  );
  return (
    <>
      <section>
        <h3>Reason given by the capsule</h3>
        <p className="sm quote">
          {question.capsule_reason ? `“${visible(question.capsule_reason)}”` : 'It gave no reason.'}
        </p>
      </section>
      <section>
        <h3>Earlier answers</h3>
        {data && <History history={data} />}
      </section>
    </>
  );
}

const SHOWN = 15;

/** Draws earlier answers as bars: tall for allowed, short for denied. */
function History({ history: { answers, trust } }: { history: QuestionHistory }) {
  const shown = answers.slice(-SHOWN);
  const allowed = answers.filter((one) => one.is_allowed).length;
  const words = `${allowed} allowed, ${answers.length - allowed} denied`;
  if (answers.length === 0)
    return <p className="xs dim">No earlier requests of this kind. The capsule is {trust}.</p>;
  return (
    <>
      <svg
        className="hist"
        viewBox="0 0 180 14"
        role="img"
        aria-label={`${answers.length} earlier answers: ${words}`}
      >
        {shown.map(({ at, is_allowed: isAllowed }, index) => (
          <rect
            key={at}
            className={isAllowed ? 'f-good' : 'f-bad'}
            x={index * 12}
            y={isAllowed ? 0 : 9}
            width="8"
            height={isAllowed ? 14 : 5}
            rx="2"
          />
        ))}
      </svg>
      <p className="xs dim">
        {words}. The capsule is {trust}.
      </p>
    </>
  );
}
