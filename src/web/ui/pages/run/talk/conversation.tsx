import { useState } from 'react';
import type { Question } from '../../../../../contract/documents/question-documents.ts';
import type { RunPage, Step } from '../../../../../contract/documents/run-documents.ts';
import { capsuleName, duration, OFFLINE, visible, visibleProse } from '../../../lib/text/format.ts';
import { Folded } from '../../../parts/text/folded.tsx';
import { Formatted, Rendered } from '../../../parts/text/rendered.tsx';
import { At } from '../../../parts/time.tsx';
import { answeredWhere } from '../../../question/answer-words.ts';
import type { useRunEvents } from '../use-run-events.ts';
import { delaysOf } from './delays.ts';
import { AnsweredElsewhere, Dock } from './dock.tsx';
import { Say } from './say.tsx';
import { useRoom } from './use-room.ts';

interface ConversationProps {
  readonly page: RunPage;
  readonly live: ReturnType<typeof useRunEvents>;
}

/** The task, then what the steps and the person said in its order, streamed text, the answer, and the open question. */
export function Conversation({ page, live }: ConversationProps) {
  const { run, steps, messages, questions, answer, error } = page;
  const column = useRoom();
  const ended = steps
    .filter((step) => step.ended_at !== null && step.result?.trim())
    .filter((step) => !isRepeated(step, page));
  const said = [
    ...ended.map((step) => [step.ended_at ?? '', <StepText key={step.id} step={step} />] as const),
    ...messages.map((one) => [one.at, <Said key={one.at} {...one} by={` · ${one.by}`} />] as const),
    ...questions
      .filter(({ kind, answer }) => kind === 'question' && answer !== null)
      .map((one) => [one.answered_at ?? '', <Answered key={one.id} question={one} />] as const),
  ].toSorted(([a], [b]) => a.localeCompare(b));
  return (
    <section ref={column} className="talk" aria-label="Conversation">
      <Said at={run.created_at} text={run.task} />
      {said.map(([, text]) => text)}
      {[...live.texts].map(([id, { text, isOutput }]) => (
        <article key={id} className="msg" aria-live="off">
          <h2>
            {id}{' '}
            <span className="run xs">{isOutput ? 'output of its command' : 'writing now'}</span>
          </h2>
          <p className="asked">
            {visibleProse(text.slice(-TAIL))}
            <span className="caret" aria-hidden="true" />
          </p>
        </article>
      ))}
      {delaysOf(live.events).map(({ intentId, problem, until }) => (
        <p key={intentId} className="bad sm">
          {visible(problem)} · trying again at <At at={until} />
        </p>
      ))}
      {error && !answer?.includes(error.message) && (
        <p className="bad sm">{visible(error.message)}</p>
      )}
      {answer !== null && (
        <article className="msg answer">
          <Folded text={answer}>
            {(text) => <Rendered text={text} head={(toggle) => <h2>Answer {toggle}</h2>} />}
          </Folded>
        </article>
      )}
      <div className="dock">
        <AnsweredElsewhere runId={run.id} />
        <Dock page={page} />
        <Say key={run.id} run={run} />
      </div>
    </section>
  );
}

/** Whether the answer is the result of a step. Without a model, it repeats the results of all steps. */
function isRepeated({ result }: Step, { run, answer }: RunPage): boolean {
  const text = result?.trim() ?? '';
  return run.provider === OFFLINE ? !!answer?.includes(text) : answer?.trim() === text;
}

/** Maximum number of characters shown of a streamed text. */
const TAIL = 2_000;

/** A longer text, in characters or lines, is cut, so that the question below it is in view. */
const MAX_SAID = { chars: 600, lines: 10 };

function Said({ at, by = '', text }: { at: string; by?: string; text: string }) {
  const isLong = text.length > MAX_SAID.chars || text.split('\n').length > MAX_SAID.lines;
  const [isCut, setCut] = useState(isLong);
  return (
    <article className="msg you">
      <h2>
        You{' '}
        <span className="faint xs">
          <At at={at} />
          {by}
        </span>
      </h2>
      <p className={isCut ? 'asked clamped' : 'asked'}>{visibleProse(text)}</p>
      {isLong && (
        <button type="button" className="link xs" onClick={() => setCut(!isCut)}>
          {isCut ? 'Show all of it' : 'Show less'}
        </button>
      )}
    </article>
  );
}

const StepText = ({ step }: { step: Step }) => (
  <article className="msg">
    <h2>
      {step.id} · {capsuleName(step.capsule_id)}{' '}
      <span className="faint xs">
        {step.ended_at && <At at={step.ended_at} />}
        {step.started_at &&
          step.ended_at &&
          ` · ${duration(Date.parse(step.ended_at) - Date.parse(step.started_at))}`}
      </span>
    </h2>
    <Folded text={step.result ?? ''}>{(text) => <Formatted text={text} />}</Folded>
  </article>
);

/** The question of a capsule, and what it was answered. */
const Answered = ({ question: one }: { question: Question }) => (
  <>
    <article className="msg">
      <h2>
        {one.subtask_id}{' '}
        <span className="faint xs">
          <At at={one.asked_at} />
        </span>
      </h2>
      <p className="asked">{visibleProse(one.question)}</p>
      {one.details !== '' && (
        <Folded text={visibleProse(one.details)}>
          {(text) => <p className="asked">{text}</p>}
        </Folded>
      )}
    </article>
    <Said
      at={one.answered_at ?? one.asked_at}
      by={` · ${answeredWhere(one.answered_by)}`}
      text={one.answer ?? ''}
    />
  </>
);
