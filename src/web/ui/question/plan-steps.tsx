import type { EditableStep } from '../../../contract/documents/question-documents.ts';
import { visible } from '../lib/text/format.ts';
import { Button } from '../parts/input/button.tsx';

interface PlanStepsProps {
  readonly steps: readonly EditableStep[];
  readonly change: (steps: readonly EditableStep[]) => void;
  readonly isDisabled: boolean;
}

/** Fields to edit the steps of a plan: descriptions, dependencies on earlier steps, and removal. */
export function PlanSteps({ steps, change, isDisabled }: PlanStepsProps) {
  const set = (id: string, part: Partial<EditableStep>) =>
    change(steps.map((step) => (step.id === id ? { ...step, ...part } : step)));
  const remove = (id: string) => change(withoutStep(steps, id));
  return (
    <ol className="plan-steps">
      {steps.map((step, at) => (
        <li key={step.id}>
          <label className="field">
            Step {at + 1}
            <textarea
              className="in"
              rows={2}
              maxLength={20_000}
              value={step.description}
              disabled={isDisabled}
              onChange={(event) => set(step.id, { description: event.target.value })}
            />
          </label>
          <div className="wait-for sm">
            {at > 0 && (
              <fieldset disabled={isDisabled}>
                <legend className="xs dim">Waits for</legend>
                {steps.slice(0, at).map((earlier, index) => (
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
                    Step {index + 1}
                  </label>
                ))}
              </fieldset>
            )}
            <span className="xs faint">{step.capsule ?? ''}</span>
            <Button
              word="Remove"
              look="quiet push"
              aria-label={`Remove step ${at + 1}`}
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
