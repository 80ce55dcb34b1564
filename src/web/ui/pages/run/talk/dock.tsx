import { useRef, useState } from 'react';
import { Link } from 'wouter';
import type { Question } from '../../../../../contract/documents/question-documents.ts';
import type { RunPage } from '../../../../../contract/documents/run-documents.ts';
import { useDocument } from '../../../lib/server/use-document.ts';
import { stepName, visible } from '../../../lib/text/format.ts';
import { useNow } from '../../../lib/use-now.ts';
import { Mark } from '../../../parts/status.tsx';
import { Ago } from '../../../parts/time.tsx';
import { answerWords } from '../../../question/answer-words.ts';
import { Answers } from '../../../question/answers.tsx';
import { PlanSteps } from '../../../question/plan-steps.tsx';
import { Request } from '../../../question/request.tsx';
import { useAnswer } from '../../../question/use-answer.tsx';

/** The oldest open question of the run, always visible. */
export function Dock({ page }: { page: RunPage }) {
  const [skipped, setSkipped] = useState<readonly string[]>([]);
  const open = page.questions.filter(
    ({ id, status }) => status === 'pending' && !skipped.includes(id),
  );
  const [question] = open;
  if (!question) return null;
  return (
    <DockCard
      key={question.id}
      question={question}
      more={open.length - 1}
      skip={() => setSkipped([...skipped, question.id])}
    />
  );
}

interface DockCardProps {
  readonly question: Question;
  readonly more: number;
  readonly skip: () => void;
}

function DockCard({ question, more, skip }: DockCardProps) {
  const answering = useAnswer(question);
  const [first] = useState(question.editable_steps);
  const [steps, setSteps] = useState(first);
  const request = useRef<HTMLDivElement>(null);
  /** Whether the end of the request is visible, which allowing requires. If not, scrolls towards it. */
  const isInView = () => {
    const box = request.current?.querySelector('.diff, .request, .plan-steps') ?? request.current;
    if (!box) return true;
    const hasRest = box.scrollHeight - box.scrollTop - box.clientHeight > 8;
    const { top, bottom } = box.getBoundingClientRect();
    const isOutside = bottom > innerHeight || top < 0;
    if (!hasRest && !isOutside) return true;
    if (isOutside) box.scrollIntoView({ block: 'nearest' });
    if (hasRest) box.scrollTop += box.clientHeight - 40;
    return false;
  };
  return (
    <article className="card ask" aria-label={visible(question.question)}>
      <div className="head">
        <Mark status={question.kind === 'unknown' ? 'unknown' : 'waiting'} />
        <h2>{visible(question.question)}</h2>
        <span className="xs push wait">
          {question.subtask_id && `${stepName(question.subtask_id)} · `}waiting{' '}
          <Ago at={question.asked_at} />
        </span>
      </div>
      <div ref={request}>
        {steps ? (
          <PlanSteps steps={steps} change={setSteps} isDisabled={answering.isPending} />
        ) : (
          <Request question={question} />
        )}
      </div>
      <p className="why">
        {question.why} <Link href={`/approvals/${question.id}`}>Full request</Link>
        {more > 0 && ` · ${more} more after this`}
      </p>
      <Answers
        question={question}
        answering={answering}
        note=""
        skip={skip}
        isInView={isInView}
        steps={steps === first ? undefined : (steps ?? undefined)}
      />
    </article>
  );
}

const SHOWN_MS = 60_000;

/** Shows for a minute who answered the newest question of the run, unless it was answered in the dashboard. */
export function AnsweredElsewhere({ runId }: { runId: string }) {
  const now = useNow().getTime();
  const { data } = useDocument<{ approvals: readonly Question[] }>(
    ['approvals', 'answered'],
    '/approvals?all=true&limit=10',
  );
  const newest = data?.approvals.find(
    ({ run_id: run, answered_at: at }) =>
      run === runId && at !== null && now - Date.parse(at) < SHOWN_MS,
  );
  const isElsewhere = newest !== undefined && newest.answered_by !== 'dashboard';
  return (
    <p className="sm dim" role="status">
      {isElsewhere && `${visible(newest.question)} ${answerWords(newest)}`}
    </p>
  );
}
