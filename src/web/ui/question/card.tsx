import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { get } from '../lib/api.ts';
import type { Question, QuestionHistory } from '../lib/api-documents.ts';
import { money, shortId } from '../lib/format.ts';
import { stepName } from '../lib/names.ts';
import { useKeys } from '../lib/use-keys.ts';
import { visible } from '../lib/visible.ts';
import { Mark } from '../parts/status.tsx';
import { Ago } from '../parts/time.tsx';
import { Answers } from './answers.tsx';
import { History } from './history.tsx';
import { PlanSteps } from './plan-steps.tsx';
import { Request } from './request.tsx';
import { useAnswer } from './use-answer.ts';

const kinds = ['read', 'write', 'execute', 'spend'];

/** One question in full with its answers. The card itself is focused when it opens, so that Enter answers nothing. */
export function QuestionCard({ question, skip }: { question: Question; skip: () => void }) {
  const [note, setNote] = useState('');
  const [steps, setSteps] = useState(question.editable_steps);
  const noteField = useRef<HTMLInputElement>(null);
  const answering = useAnswer(question);
  const card = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: focuses the card of each new question
  useEffect(() => card.current?.focus({ preventScroll: true }), [question.id]);
  useKeys({ m: () => noteField.current?.focus() });
  const isQuestion = question.kind === 'question';
  const isPlan = question.kind === 'plan';
  return (
    <article ref={card} className="card ask one" tabIndex={-1} aria-labelledby="question-title">
      <div className="head">
        <Mark status={question.kind === 'unknown' ? 'unknown' : 'waiting'} />
        <h2 id="question-title">{visible(question.question)}</h2>
        <span className="xs push wait">
          waiting <Ago at={question.asked_at} /> ·{' '}
          {question.expires_at ? (
            <>
              until{' '}
              <time dateTime={question.expires_at}>
                {new Date(question.expires_at).toLocaleTimeString('en-GB')}
              </time>
            </>
          ) : (
            'no deadline'
          )}
        </span>
      </div>
      <Facts question={question} />
      {steps ? (
        <PlanSteps steps={steps} change={setSteps} isDisabled={question.status !== 'pending'} />
      ) : (
        <Request question={question} />
      )}
      <Reasons question={question} />
      {!isQuestion && (
        <div className="notebox">
          <label className="field">
            Note to {isPlan ? 'the run' : question.capsule_id || 'the run'}, sent with your answer
            <input
              ref={noteField}
              className="in"
              value={note}
              maxLength={2_000}
              onChange={(event) => setNote(event.target.value)}
              placeholder="Optional, for example: leave the comment out"
            />
          </label>
        </div>
      )}
      <Answers
        question={question}
        answering={answering}
        note={note}
        skip={skip}
        steps={steps === question.editable_steps ? undefined : (steps ?? undefined)}
      />
    </article>
  );
}

function Facts({ question }: { question: Question }) {
  const { kind, capsule_id: capsule, cost_usd: cost, run_id: run, subtask_id: step } = question;
  return (
    <dl className="facts pad">
      <div>
        <dt>Who</dt>
        <dd>
          {capsule && kind !== 'plan' ? (
            <Link className="link" href={`/capsules/${capsule}`}>
              {capsule}
            </Link>
          ) : (
            'Capstan'
          )}
        </dd>
      </div>
      <div>
        <dt>What</dt>
        <dd>
          <code>{question.operation}</code>
        </dd>
      </div>
      <div>
        <dt>Kind</dt>
        <dd>
          {kinds[question.tier]} · tier {question.tier}
        </dd>
      </div>
      <div>
        <dt>Cost</dt>
        <dd>{cost === null ? 'unknown' : money(cost)}</dd>
      </div>
      <div>
        <dt>For</dt>
        <dd>
          <Link className="link" href={`/runs/${run}`}>
            {step ? `${stepName(step)} in ` : ''}
            {shortId(run)}
          </Link>
        </dd>
      </div>
    </dl>
  );
}

function Reasons({ question }: { question: Question }) {
  return (
    <div className="reasons">
      <section>
        <h3>Why you are asked</h3>
        <p className="sm">{question.why}</p>
        {question.is_forced && <p className="sm dim">Only a person can answer this.</p>}
      </section>
      {question.kind !== 'plan' && <OfCapsule question={question} />}
    </div>
  );
}

/** The reason that the capsule gave, and the answers to its earlier requests of this kind. */
function OfCapsule({ question }: { question: Question }) {
  const { data } = useQuery({
    queryKey: ['approvals', question.id, 'history'],
    queryFn: () => get<QuestionHistory>(`/approvals/${question.id}/history`),
  });
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
