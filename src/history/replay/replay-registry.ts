import type { RecordPool } from '../../broker/intent/scope.ts';
import { RecordedFailure } from '../../coordinator/failure.ts';
import { asRecord, parseJson } from '../../platform/text/parse-json.ts';
import type { Capsule } from '../../registry/capsule-store.ts';
import type { Manifest } from '../../registry/manifest/manifest.ts';
import type { Registry } from '../../registry/registry.ts';
import type { Route } from '../../registry/search/route.ts';
import type { Recording } from '../recording/recording.ts';
import type { ReplayCapsule } from './replay-capsules.ts';

/**
 * The registry of the recorded run. The planner's directory comes from the planner's recorded call, routes from the
 * receipts; prompts and task kinds are in the recorded requests.
 */
export function createReplayRegistry(
  recording: Recording,
  capsules: readonly ReplayCapsule[],
  own: RecordPool,
): Registry {
  const byId = new Map(capsules.map(({ capsule }) => [capsule.id, capsule]));
  const { namedCapsule } = recording.run.wish;
  return {
    sync: async () => ({ problems: [] }),
    list: () => directoryOf(own).map(stubOf),
    find(id) {
      const isKnown = recording.subtasks.length > 0 && id === namedCapsule;
      return byId.get(id) ?? (isKnown ? stubOf({ id, description: '' }) : undefined);
    },
    skills: () => [],
    kindFor: () => ({
      name: 'recorded',
      mode: 'handler',
      description: '',
      input_schema: {},
      examples: [],
      hint: 'balanced',
      max_steps: 1,
    }),
    prompt: () => ({ systemPrompt: '', skills: [] }),
    noteCompleted: () => {},
    correct: () => {},
    forget: () => {},
    async route(text) {
      const failed = recording.subtasks.find(
        ({ description, route, error }) =>
          isUnrouted(route) && error !== null && description === text,
      );
      const failure = failed?.error ?? {
        code: 'INTERNAL',
        message: 'No routing receipt is recorded.',
      };
      throw new RecordedFailure(failure, failed?.reason ?? 'subtask_failed');
    },
  };
}

/** Whether it failed before there was a receipt, or its receipt says that no capsule fits. */
const isUnrouted = (route: unknown): boolean =>
  route === null || (route as Route).capsuleId === undefined;

/** The capsules that the planner's next recorded call lists. */
function directoryOf(own: RecordPool): readonly Pick<Manifest, 'id' | 'description'>[] {
  const plan = own.left().find(({ name }) => name === 'plan');
  const { capsules } = asRecord(parseJson(documentOf(plan?.request)));
  return Array.isArray(capsules) ? capsules : [];
}

/** The first message of the user, which all tries of one plan share. */
export function documentOf(request: unknown): string {
  const { messages = [] } = (request ?? {}) as { messages?: { content?: unknown }[] };
  return String(messages[1]?.content);
}

const stubOf = ({ id, description }: Pick<Manifest, 'id' | 'description'>): Capsule => ({
  id,
  origin: 'shipped',
  dir: '',
  overlay: undefined,
  hash: '',
  manifest: {
    id,
    name: id,
    version: '0.0.0',
    description,
    tags: [],
    entrypoint: ['node'],
    grants: { tools: {}, services: [] },
    skills: [],
    task_kinds: [],
  },
});
