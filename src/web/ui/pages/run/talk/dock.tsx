import { useState } from 'react';
import { Link } from 'wouter';
import type { Question } from '../../../../../contract/documents/question-documents.ts';
import type { RunPage } from '../../../../../contract/documents/run-documents.ts';
import { useDocument } from '../../../lib/server/use-document.ts';
import { plural, stepName, visible } from '../../../lib/text/format.ts';
import { useNow } from '../../../lib/use-now.ts';
import { Mark } from '../../../parts/status.tsx';
import { Ago } from '../../../parts/time.tsx';
import { answerWords } from '../../../question/answer-words.ts';
import { Answers } from '../../../question/answers.tsx';
import { Asked } from '../../../question/asked.tsx';
import { Note } from '../../../question/note.tsx';
import { useAnswer } from '../../../question/use-answer.tsx';
import { useReading } from '../../../question/use-reading.ts';

/** The oldest open question of the run, always visible, unless it is skipped. */
export function Dock({ page }: { page: RunPage }) {
  const [skipped, setSkipped] = useState<readonly string[]>([]);
  const open = page.questions.filter(({ status }) => status === 'pending');
  const left = open.filter(({ id }) => !skipped.includes(id));
  const [question] = left;
  const number = open.length - left.length;
  return (
    <>
      {question && (
        <DockCard
          key={question.id}
          question={question}
          more={left.length - 1}
          skip={() => setSkipped([...skipped, question.id])}
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
  readonly skip: () => void;
}

function DockCard({ question, more, skip }: DockCardProps) {
  const answering = useAnswer(question);
  const [first] = useState(question.editable_steps);
  const [steps, setSteps] = useState(first);
  const [note, setNote] = useState('');
  const reading = useReading(question.binding);
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
      <Asked
        question={question}
        reading={reading}
        steps={steps}
        change={setSteps}
        isDisabled={answering.isPending}
      />
      <p className="why">
        {question.why} <Link href={`/approvals/${question.id}`}>Full request</Link>
        {more > 0 && ` · ${more} more after this`}
      </p>
      <Note question={question} note={note} set={setNote} />
      <Answers
        question={question}
        answering={answering}
        note={note}
        skip={skip}
        reading={reading}
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
