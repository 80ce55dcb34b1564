import { AppError } from '../../contract/errors.ts';
import { headAndTail } from '../../tools/files/cut-text.ts';
import type { RunContext } from '../context/run-context.ts';
import type { RunRecord } from '../store/runs/run-record.ts';

/** A text attached to the task, in the form that the planner gets. */
export interface PlannedAttachment {
  readonly name: string;
  readonly bytes: number;
  /** A long text without its middle. */
  readonly text: string;
}

/** The part of one text that the planner gets, in bytes. */
const PLANNED_BYTES = 4_000;

/** The shortened attachments of the task. Omitted if there are none. */
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
