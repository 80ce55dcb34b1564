import { useEffect, useRef, useState } from 'react';
import type { EditableStep, Question } from '../../../contract/documents/question-documents.ts';
import { tierWords } from '../../../contract/text/tier-words.ts';
import { useConnection } from '../lib/server/live.ts';
import { money } from '../lib/text/format.ts';
import { useKeys } from '../lib/use-keys.ts';
import { Button, type ButtonProps } from '../parts/input/button.tsx';
import { Always } from './always.tsx';
import { Choices } from './choices.tsx';
import type { Answering } from './use-answer.tsx';
import { Sending } from './use-answer.tsx';
import type { Reading } from './use-reading.ts';

interface AnswersProps {
  readonly question: Question;
  readonly answering: Answering;
  readonly note: string;
  /** The steps of an edited plan. Undefined: unchanged. */
  readonly steps?: readonly EditableStep[] | undefined;
  /** Leaves the question open and moves on. */
  readonly skip: () => void;
  /** An answer shows the question first; allowing also the request, until all of it was shown. */
  readonly reading: Reading;
  /** Whether the edited plan can be sent. If not, goes to what is missing. */
  readonly checkSteps: () => boolean;
}

/** Answers are ignored for this time, because a key may be meant for the previous card. In milliseconds. */
const IGNORED_MS = 300;

function useIsReady(key: string): () => boolean {
  const [shownAt, setShownAt] = useState(() => performance.now());
  // biome-ignore lint/correctness/useExhaustiveDependencies: the card changes with its key
  useEffect(() => setShownAt(performance.now()), [key]);
  return () => performance.now() - shownAt >= IGNORED_MS;
}

/** Whether the only choices are allow and deny. */
const isYesNo = ({ choices }: Question) =>
  choices.length === 2 && choices.includes('approve') && choices.includes('deny');

/** Answers that require that everything was shown. */
const permits: ReadonlySet<string> = new Set(['approve', 'do_it']);

interface Acts extends Pick<AnswersProps, 'steps'> {
  readonly editor: 'approve' | 'deny' | undefined;
  readonly open: (which: 'approve' | 'deny') => () => void;
  readonly answer: (which: 'approve' | 'deny') => () => void;
  readonly canAnswer: boolean;
}

/** The buttons that answer a question. */
function answersFor({ editable_steps, always }: Question, acts: Acts): readonly ButtonProps[] {
  const { steps, editor, open, answer, canAnswer } = acts;
  const words = steps
    ? ['Run the edited plan', 'Drop the plan']
    : ['Run this plan', 'Drop the plan'];
  const [yes, no] = editable_steps === null ? ['Allow once', 'Deny once'] : words;
  const once = (which: 'approve' | 'deny') => ({ disabled: !canAnswer, onClick: answer(which) });
  const opens = (which: 'approve' | 'deny') => ({
    ...{ 'aria-expanded': editor === which, onClick: open(which) },
  });
  return [
    { word: yes, icon: 'check', look: 'yes', hotkey: 'y', ...once('approve') },
    { word: no, icon: 'x', look: 'no', hotkey: 'n', ...once('deny') },
    ...(always ? [{ word: 'Allow always …', hotkey: 'Y', ...opens('approve') }] : []),
    ...(always ? [{ word: 'Deny always …', hotkey: 'N', ...opens('deny') }] : []),
  ];
}

/** The answers to a question, as buttons and keys. */
export function Answers(props: AnswersProps) {
  const { question, answering, note, steps, skip, reading, checkSteps } = props;
  const [editor, setEditor] = useState<'approve' | 'deny' | undefined>();
  const bar = useRef<HTMLDivElement>(null);
  const [isExplained, setExplained] = useState(false);
  const { isConnected } = useConnection();
  const isReady = useIsReady(`${question.id} ${question.binding}`);
  const canAnswer = isConnected && !answering.isPending && question.status === 'pending';
  const send = (answer: string) => {
    if (!canAnswer || !isReady()) return;
    answering.mutate({
      answer,
      ...(note.trim() === '' ? {} : { note: note.trim() }),
      ...(steps && answer === 'approve' ? { steps } : {}),
    });
  };
  const answer = (which: string) => () => {
    const isAllowing = permits.has(which);
    if ((!isAllowing || checkSteps()) && reading.isPermitted(isAllowing)) send(which);
  };
  const open = (which: 'approve' | 'deny') => () => {
    if (canAnswer && question.always && reading.isPermitted(which === 'approve')) setEditor(which);
  };
  const close = () => {
    bar.current?.querySelector<HTMLElement>('[aria-expanded="true"]')?.focus();
    setEditor(undefined);
  };
  const explain = () => setExplained(!isExplained);
  const keys = {
    y: answer('approve'),
    n: answer('deny'),
    Y: open('approve'),
    N: open('deny'),
  };
  useKeys(editor ? { Escape: close } : { ...(isYesNo(question) ? keys : {}), e: explain, s: skip });
  if (!isYesNo(question)) {
    return (
      <Choices
        question={question}
        answering={answering}
        send={(choice) => answer(choice)()}
        skip={skip}
        canAnswer={canAnswer}
      />
    );
  }
  const answers = answersFor(question, { steps, editor, open, answer, canAnswer });
  return (
    <>
      {isExplained && <Explanation question={question} />}
      {/* biome-ignore lint/a11y/useSemanticElements: buttons, not fields */}
      <div ref={bar} className="answers" role="group" aria-label="Answer">
        {answers.map((one) => (
          <Button key={one.hotkey} {...one} />
        ))}
        <span className="grow" />
        <Button
          word="Explain"
          look="quiet"
          hotkey="e"
          aria-expanded={isExplained}
          onClick={explain}
        />
        <Button word="Skip" look="quiet" hotkey="s" onClick={skip} />
        <Sending answering={answering} />
      </div>
      {editor && (
        <Always
          question={question}
          answer={editor}
          answering={answering}
          note={note}
          close={close}
        />
      )}
    </>
  );
}

/** Explains what allowing does, and why it is asked. */
function Explanation({ question }: { question: Question }) {
  const { why, operation, tier, cost_usd: cost, is_forced: isForced } = question;
  const list = useRef<HTMLDListElement>(null);
  useEffect(() => {
    list.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <dl ref={list} className="kv body explained">
      <dt>Allow once</dt>
      <dd>permits exactly this request, once.</dd>
      <dt>Asked because</dt>
      <dd>{why}</dd>
      <dt>Operation</dt>
      <dd>
        <code>{operation}</code> · {tierWords(operation, tier)}
      </dd>
      {cost !== null && cost > 0 && (
        <>
          <dt>Costs at most</dt>
          <dd>{money(cost)}</dd>
        </>
      )}
      {isForced && (
        <>
          <dt>Always</dt>
          <dd>Only a person may answer this, each time.</dd>
        </>
      )}
    </dl>
  );
}
