import { sentencesOf } from '../../config/read/given.ts';
import { failedWith, messageOf } from '../../contract/errors.ts';
import type { Finding } from '../../registry/finding.ts';

/** The findings about a folder that can't be read as a capsule. @param error Why. */
export function unreadableCapsule(folder: string, error: unknown): Finding[] {
  const severity = 'error';
  if (failedWith(error, 'MANIFEST_INVALID'))
    return error.details.found.map((one) => ({ rule: 'manifest.schema', severity, ...one }));
  if (failedWith(error, 'OVERLAY_INVALID')) {
    const { path: where, problem } = error.details;
    return [{ rule: 'overlay.file', severity, where, ...sentencesOf(problem) }];
  }
  return [{ rule: 'capsule.folder', severity, where: folder, ...sentencesOf(messageOf(error)) }];
}
