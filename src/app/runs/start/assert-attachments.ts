import { AppError } from '../../../contract/errors.ts';
import { Attachment } from '../../../contract/protocol.ts';

const MAX_COUNT = 10;
/** Of all texts together. */
const MAX_BYTES = 1024 * 1024;

/** @throws AppError `USAGE`, with the field `attachments`. */
export function assertAttachments(attachments: readonly Attachment[] = []): void {
  const problem = problemOf(attachments);
  if (problem !== undefined) throw new AppError('USAGE', { problem, field: 'attachments' });
}

function problemOf(attachments: readonly Attachment[]): string | undefined {
  if (attachments.length > MAX_COUNT)
    return `${attachments.length} texts were given with the task; ${MAX_COUNT} are allowed.`;
  if (!attachments.every((one) => Attachment.safeParse(one).success))
    return 'A text given with the task needs a name of 1 to 100 characters and a text.';
  const bytes = attachments.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  if (bytes <= MAX_BYTES) return undefined;
  return `The texts given with the task have ${bytes} bytes; ${MAX_BYTES} (1 MiB) are allowed. Save the text as a file and name the file in the task.`;
}
