import type { RecordPool } from '../../broker/intent/scope.ts';
import type { RecordedPlans } from '../../coordinator/plan/planner-view.ts';
import type { Recording } from '../recording/recording.ts';

/** Reads the planner's material, and the points where it planned again, from its recorded calls. */
export function recordedPlans(
  { subtasks, attempts }: Pick<Recording, 'subtasks' | 'attempts'>,
  own: RecordPool,
): RecordedPlans {
  const used = new Set<string>();
  const next = () =>
    own
      .left()
      .filter(({ name }) => name === 'plan')
      .map(({ request }) => documentOf(request))
      .find((text) => !used.has(text));
  return {
    material() {
      const text = next() ?? '{}';
      used.add(text);
      const { capsules = [], files, messages } = parse(text);
      return { capsules, ...(files && { files }), ...(messages && { messages }) };
    },
    isHeld: (id) =>
      subtasks.some((one) => one.id === id && one.replacedFor === 'message') &&
      !attempts.some(({ subtaskId }) => subtaskId === id),
    dueReplan: () => parse(next() ?? '{}').again,
  };
}

type Document = Partial<ReturnType<RecordedPlans['material']>> & {
  readonly again?: ReturnType<RecordedPlans['dueReplan']>;
};

/** The first message of the user, which all tries of one plan share. */
function documentOf(request: unknown): string {
  const { messages = [] } = (request ?? {}) as { messages?: { content?: unknown }[] };
  return String(messages[1]?.content);
}

function parse(text: string): Document {
  try {
    return JSON.parse(text) as Document;
  } catch {
    return {};
  }
}
