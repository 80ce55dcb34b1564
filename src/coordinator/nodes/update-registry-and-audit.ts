import { join } from 'node:path';
import { messageOf } from '../../contract/errors.ts';
import { openMemory } from '../../memory/open-memory.ts';
import type { Capsule } from '../../registry/capsule-store.ts';
import type { RunContext } from '../context/run-context.ts';
import type { RunUpdate } from '../state.ts';

/** Node: stores the memories that the run's capsules asked for. If that fails, the next run stores them. */
export async function updateRegistryAndAudit({ parts, record }: RunContext): Promise<RunUpdate> {
  const ids = parts.subtasks.capsulesOf(record.id);
  for (const capsule of [...ids].flatMap((id) => parts.registry.find(id) ?? [])) {
    try {
      applyMemory(parts, capsule, record.workspace);
    } catch (error) {
      const text = `What "${capsule.id}" asked to remember could not be stored yet: ${messageOf(error)}`;
      parts.events.emit({ type: 'run.noticed', run_id: record.id, text });
    }
  }
  return {};
}

function applyMemory(
  { subtasks, journal, paths }: RunContext['parts'],
  capsule: Capsule,
  workspace: string,
): void {
  const updates = subtasks.unappliedMemory(
    capsule.id,
    capsule.origin === 'project' ? workspace : undefined,
  );
  if (updates.length === 0) return;
  const memory = openMemory(join(paths.homeOf(capsule), 'memory.db'));
  try {
    memory.remember(
      updates.map(({ attemptId, position, text, runId, workspace, isUntrusted }) => ({
        text,
        source: `${attemptId}:${position}`,
        workspace,
        runId,
        isUntrusted: isUntrusted === 1,
      })),
    );
  } finally {
    memory.close();
  }
  journal.commit(() => subtasks.markApplied(updates));
}
