import type { EditableStep } from '../../../contract/documents/question-documents.ts';

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
