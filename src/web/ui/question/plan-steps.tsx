import { useId } from 'react';
import type { EditableStep } from '../../../contract/documents/question-documents.ts';
import { visible } from '../lib/text/format.ts';
import { useKeptFocus } from '../lib/use-kept-focus.ts';
import { Button } from '../parts/input/button.tsx';

interface PlanStepsProps {
  /** As planned: their places are the numbers of the steps. */
  readonly planned: readonly EditableStep[];
  readonly steps: readonly EditableStep[];
  readonly change: (steps: readonly EditableStep[]) => void;
  readonly isDisabled: boolean;
  /** Whether steps without a description are marked. */
  readonly isChecked: boolean;
}

/** Whether a step says nothing. */
export const isBlank = ({ description }: EditableStep): boolean => description.trim() === '';

/** Fields to edit the steps of a plan: descriptions, dependencies on earlier steps, and removal. */
export function PlanSteps({ planned, steps, change, isDisabled, isChecked }: PlanStepsProps) {
  const ids = useId();
  const focus = useKeptFocus<HTMLOListElement>('li');
  const numberOf = ({ id }: EditableStep) => planned.findIndex((one) => one.id === id) + 1;
  const set = (id: string, part: Partial<EditableStep>) =>
    change(steps.map((step) => (step.id === id ? { ...step, ...part } : step)));
  const isMissing = (step: EditableStep) => isChecked && isBlank(step);
  const remove = (id: string) => change(withoutStep(steps, id));
  return (
    <ol className="plan-steps" {...focus}>
      {steps.map((step, at) => (
        <li key={step.id}>
          <label className="field">
            Step {numberOf(step)}
            <textarea
              className="in"
              rows={2}
              maxLength={20_000}
              value={step.description}
              disabled={isDisabled}
              aria-invalid={isMissing(step)}
              aria-describedby={isMissing(step) ? `${ids}${step.id}` : undefined}
              onChange={(event) => set(step.id, { description: event.target.value })}
            />
          </label>
          {isMissing(step) && (
            <p id={`${ids}${step.id}`} className="bad sm">
              Nothing was sent: step {numberOf(step)} needs a description.
            </p>
          )}
          <div className="wait-for sm">
            {at > 0 && (
              <fieldset disabled={isDisabled}>
                <legend className="xs dim">Waits for</legend>
                {steps.slice(0, at).map((earlier) => (
                  <label key={earlier.id} className="check" title={visible(earlier.description)}>
                    <input
                      type="checkbox"
                      checked={step.depends_on.includes(earlier.id)}
                      onChange={(event) => {
                        const others = step.depends_on.filter((id) => id !== earlier.id);
                        const depends_on = event.target.checked ? [...others, earlier.id] : others;
                        set(step.id, { depends_on });
                      }}
                    />
                    Step {numberOf(earlier)}
                  </label>
                ))}
              </fieldset>
            )}
            <span className="xs faint">{step.capsule ?? ''}</span>
            <Button
              word="Remove"
              look="quiet push"
              aria-label={`Remove step ${numberOf(step)}`}
              disabled={isDisabled || steps.length === 1}
              onClick={() => remove(step.id)}
            />
          </div>
        </li>
      ))}
    </ol>
  );
}

/** Removes a step from a plan. Its dependents inherit its dependencies, which keeps the order of the other steps. */
export function withoutStep(steps: readonly EditableStep[], id: string): readonly EditableStep[] {
  const inherited = steps.find((step) => step.id === id)?.depends_on ?? [];
  return steps
    .filter((step) => step.id !== id)
    .map((step) =>
      step.depends_on.includes(id)
        ? {
            ...step,
            depends_on: [
              ...new Set(step.depends_on.flatMap((one) => (one === id ? inherited : [one]))),
            ],
          }
        : step,
    );
}
