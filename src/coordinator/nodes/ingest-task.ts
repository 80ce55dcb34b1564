import { AppError } from '../../contract/errors.ts';
import { namedInText } from '../../registry/files/named-in-text.ts';
import { assertNotQuarantined } from '../../registry/quarantine.ts';
import type { RunContext } from '../context/run-context.ts';
import { callRunHooks } from '../context/run-hooks.ts';
import { storeConversation } from '../conversation/store-conversation.ts';
import { reportProvider } from '../events/run-events.ts';
import type { RunUpdate } from '../state.ts';

/** Node: calls the `pre_run` hooks, reports the models, syncs the registry with the folders on disk, reports unusable capsules, and stores the earlier turns of the session. Writes `phase`. */
export async function ingestTask(run: RunContext): Promise<RunUpdate> {
  const { parts, record } = run;
  await callRunHooks(run, 'pre_run', {});
  const { provider, events } = parts;
  reportProvider(run);
  // Only a language model can work with a text that is not a file.
  if (record.request.attachments && !provider.isModel)
    throw new AppError('ATTACHMENT_NEEDS_MODEL', {});
  const { problems } = await parts.registry.sync();
  for (const text of problems) events.emit({ type: 'run.noticed', run_id: record.id, text });
  const known = new Map(parts.registry.list().map((capsule) => [capsule.id, capsule]));
  const named = record.request.namedCapsule ?? namedInText(record.task, known);
  if (named !== undefined) assertUsable(run, named);
  await storeConversation(run);
  return { phase: null };
}

function assertUsable({ parts }: RunContext, id: string): void {
  const capsule = parts.registry.find(id);
  if (!capsule) {
    const known = parts.registry.list().map((one) => one.id);
    throw new AppError('CAPSULE_UNKNOWN', { id, known });
  }
  assertNotQuarantined(capsule, parts.quarantine);
}
