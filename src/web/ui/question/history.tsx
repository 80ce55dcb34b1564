import type { QuestionHistory } from '../../../contract/documents/question-documents.ts';

const SHOWN = 15;

/** Draws earlier answers as bars: tall for allowed, short for denied. */
export function History({ history: { answers, trust } }: { history: QuestionHistory }) {
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
