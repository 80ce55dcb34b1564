import type { EditableStep, Question } from '../../../contract/documents/question-documents.ts';
import { plural } from '../lib/text/format.ts';
import { useKeys } from '../lib/use-keys.ts';
import { Button } from '../parts/input/button.tsx';
import { PlanSteps } from './plan-steps.tsx';
import { Request } from './request.tsx';
import type { Reading } from './use-reading.ts';

interface AskedProps {
  readonly question: Question;
  readonly reading: Reading;
  /** The steps of a plan. */
  readonly planned: readonly EditableStep[] | null;
  /** As edited. */
  readonly steps: readonly EditableStep[] | null;
  readonly change: (steps: readonly EditableStep[]) => void;
  readonly isDisabled: boolean;
  /** Whether steps without a description are marked. */
  readonly isChecked: boolean;
}

/** What a question asks about: a plan that can be edited, or a request. A hint says whether there is more below. */
export const Asked = ({ question, reading, planned, steps, ...editing }: AskedProps) => (
  <div ref={reading.place}>
    {steps && planned ? (
      <>
        <PlanSteps planned={planned} steps={steps} {...editing} />
        {steps.length < planned.length && (
          <p className="why" role="status">
            {steps.length} of {plural(planned.length, 'step')} are left.
          </p>
        )}
      </>
    ) : (
      <Request question={question} />
    )}
    {!reading.isRead && <MoreBelow reading={reading} />}
  </div>
);

function MoreBelow({ reading: { readOn, readToEnd } }: { reading: Reading }) {
  useKeys({ ' ': readOn, End: readToEnd });
  return (
    <div className="more-below">
      <Button word="More below" hotkey="Space" onClick={readOn} />
    </div>
  );
}
