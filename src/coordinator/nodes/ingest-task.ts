import type { RunContext } from '../run-context.ts';
import type { RunUpdate } from '../state.ts';

/** Node: brings the registry in step with the folders on the disk, and says which capsules can't be used. Writes `phase`. */
export const ingestTask =
  ({ parts, record }: RunContext) =>
  async (): Promise<RunUpdate> => {
    const { problems } = await parts.registry.sync();
    for (const text of problems)
      parts.events.emit({ type: 'run.noticed', run_id: record.id, text });
    return { phase: null };
  };
