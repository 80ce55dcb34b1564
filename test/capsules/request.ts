import type { CoordinatorRequest } from '../../src/contract/wire/coordinator-messages.ts';

export interface RequestChanges {
  readonly task?: string;
  readonly context?: Partial<CoordinatorRequest['context']>;
  readonly config?: Partial<CoordinatorRequest['config']>;
  readonly artifacts?: CoordinatorRequest['artifacts'];
}

/** A request with the changes of a test. */
export const aRequest = (changes: RequestChanges = {}): CoordinatorRequest => ({
  type: 'coordinator_request',
  protocol: 1,
  session_id: 'session-1',
  run_id: 'run-1',
  subtask_id: 's1',
  attempt: 1,
  task: changes.task ?? 'count the lines of notes.txt',
  context: { run_task: 'count lines', memory: [], results: [], ...changes.context },
  artifacts: changes.artifacts ?? [],
  config: {
    capsule_id: 'tester',
    task_kind: 'test',
    mode: 'handler',
    system_prompt: '',
    tool_registry: [],
    model: false,
    max_steps: 5,
    ...changes.config,
  },
});
