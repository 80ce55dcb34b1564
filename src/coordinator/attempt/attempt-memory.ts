import type { MemoryItem } from '../../contract/wire/coordinator-messages.ts';
import type { AgentResponse } from '../../contract/wire/protocol.ts';
import { hasReadUnnamed } from '../../memory/has-read-unnamed.ts';
import { recallMemory } from '../../memory/open-memory.ts';
import type { Capsule } from '../../registry/capsule-store.ts';
import type { RunContext } from '../context/run-context.ts';
import type { Step } from '../plan/plan.ts';
import type { AttemptEnd } from '../store/subtasks/subtask-record.ts';

/** How many characters of a memory its event shows. */
const SHOWN_LENGTH = 500;

/** The memories of the capsule that fit the step. Reports how many were left out. */
export function recallFor(
  { parts, record }: RunContext,
  { step, capsule }: { readonly step: Step; readonly capsule: Capsule },
): readonly MemoryItem[] {
  const { items, leftOut } = recallMemory(parts.paths.homeOf(capsule), step.description, {
    workspace: record.workspace,
    maxTokens: parts.limits.memoryTokens,
  });
  if (items.length + leftOut > 0) {
    const about = { run_id: record.id, subtask_id: step.id, capsule_id: capsule.id };
    const counts = { count: items.length, left_out: leftOut };
    parts.events.emit({ type: 'memory.recalled', ...about, ...counts });
  }
  return items;
}

type Written = Pick<AttemptEnd, 'memoryUpdates' | 'isUntrusted'>;

/** The memories that an attempt asks to store. @param response Of an attempt that completed: those of others are discarded. */
export function memoriesOf(
  { parts, record }: RunContext,
  response: AgentResponse | undefined,
): Written {
  const memoryUpdates = response?.memory_updates.map(({ text }) => text) ?? [];
  const hasReadUntrusted = () =>
    record.request.conversation !== undefined ||
    record.request.attachments !== undefined ||
    hasReadUnnamed(record.task, parts.journal.summariesOf(record.id));
  const isUntrusted = memoryUpdates.length > 0 && hasReadUntrusted();
  return { memoryUpdates, isUntrusted };
}

export function showMemories(
  { parts }: RunContext,
  about: { readonly run_id: string; readonly subtask_id: string; readonly capsule_id: string },
  { memoryUpdates, isUntrusted }: Written,
): void {
  for (const text of memoryUpdates) {
    const memory = { text: text.slice(0, SHOWN_LENGTH), is_untrusted: isUntrusted };
    parts.events.emit({ type: 'memory.written', ...about, ...memory });
  }
}
