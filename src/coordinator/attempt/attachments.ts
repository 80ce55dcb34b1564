import { AppError } from '../../contract/errors.ts';
import { headAndTail } from '../../tools/files/cut-text.ts';
import type { RunContext } from '../context/run-context.ts';
import type { RunRecord } from '../store/run-store.ts';

/** A text given with the task, as the planner sees it. */
export interface PlannedAttachment {
  readonly name: string;
  readonly bytes: number;
  /** Its middle is left out if it is long. */
  readonly text: string;
}

/** What the planner sees of one text, in bytes. */
const PLANNED_BYTES = 4_000;

/** The texts that came with the task, shortened. Left out if there are none. */
export function attachmentsForPlan({ request }: Pick<RunRecord, 'request'>): {
  attachments?: readonly PlannedAttachment[];
} {
  const { attachments } = request;
  if (!attachments) return {};
  return {
    attachments: attachments.map(({ name, text }) => {
      const bytes = Buffer.byteLength(text);
      return { name, bytes, text: bytes > PLANNED_BYTES ? headAndTail(text, PLANNED_BYTES) : text };
    }),
  };
}

/**
 * Only a language model can work with a text that is not a file.
 *
 * @throws AppError `ATTACHMENT_NEEDS_MODEL`.
 */
export function assertAttachmentsUsable({ parts, record }: RunContext): void {
  if (record.request.attachments && !parts.provider.isModel)
    throw new AppError('ATTACHMENT_NEEDS_MODEL', {});
}
