import { printable } from '../../contract/text/printable.ts';
import type { AppContext } from '../app-context.ts';
import { findCapsule } from './find-capsule.ts';
import { type CapsuleOptions, loadCapsules } from './load-capsules.ts';

export interface QuarantineOptions extends CapsuleOptions {
  /** Shown wherever the capsule is listed. Default: `quarantined by hand`. */
  readonly reason?: string | undefined;
}

/** Keeps a capsule from being chosen until it is restored. @throws AppError `CAPSULE_UNKNOWN`. */
export async function quarantineCapsule(
  context: AppContext,
  id: string,
  options: QuarantineOptions = {},
): Promise<{ readonly id: string; readonly reason: string }> {
  const loaded = await loadCapsules(context, options);
  const capsule = findCapsule(loaded, id);
  const given = options.reason?.trim() || 'quarantined by hand';
  const reason = printable(context.redactor.redact(given), MAX_REASON_CHARS);
  const { journal, quarantine } = await context.stores();
  journal.commit(() => quarantine.hold(capsule, { reason, actor: loaded.actor }));
  return { id, reason };
}

const MAX_REASON_CHARS = 500;
