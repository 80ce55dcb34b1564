import type { RunParts } from '../context/run-context.ts';
import type { RunMessage } from '../store/message-store.ts';

/**
 * The messages of a run that nothing read: no plan covers them, and no model call of a step came after them. A step reads
 * those that it begins with, and those that it gets with a reply, at its next model call.
 */
export function unreadMessages(
  { messages, journal, subtasks }: Pick<RunParts, 'messages' | 'journal' | 'subtasks'>,
  runId: string,
): readonly RunMessage[] {
  const open = messages.of(runId).filter(({ takenAt }) => takenAt === null);
  if (open.length === 0) return [];
  const intents = journal.intentsOf(runId, ({ kind, subtaskId, outcome }) => ({
    ...{ kind, subtaskId },
    texts: messagesIn(outcome),
  }));
  const lastCalls = new Map<string, number>();
  for (const [at, { kind, subtaskId }] of intents.entries())
    if (kind === 'chat') lastCalls.set(subtaskId, at);
  const read = new Set([
    ...intents.flatMap(({ subtaskId, texts }, at) =>
      at < (lastCalls.get(subtaskId) ?? 0) ? texts : [],
    ),
    ...[...lastCalls.keys()]
      .flatMap((id) => subtasks.attemptsOf(runId, id))
      .flatMap(({ request }) => messagesIn((request as { context?: unknown } | null)?.context)),
  ]);
  return open.filter(({ text }) => !read.has(text));
}

const messagesIn = (holder: unknown): readonly string[] =>
  (holder as { readonly messages?: readonly string[] } | null | undefined)?.messages ?? [];
