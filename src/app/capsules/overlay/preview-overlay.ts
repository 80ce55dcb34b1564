import { failedWith } from '../../../contract/errors.ts';
import type { Finding } from '../../../registry/finding.ts';
import type { AppContext } from '../../app-context.ts';
import { findCapsule } from '../find-capsule.ts';
import { type CapsuleOptions, loadCapsules } from '../load-capsules.ts';
import { lintDraft, withDraft } from './lint-draft.ts';
import { type CapsulePrompt, showPrompt } from './show-prompt.ts';

/** What an overlay would do if it was saved. */
export interface OverlayPreview {
  /** What a model would get; null if a template in the overlay is invalid, which a finding says. */
  readonly prompt: CapsulePrompt | null;
  readonly findings: readonly Finding[];
}

/** @throws AppError `CAPSULE_UNKNOWN`, `SKILL_UNKNOWN`; `OVERLAY_INVALID` if the text is too long. */
export async function previewOverlay(
  context: AppContext,
  id: string,
  text: string,
  options: CapsuleOptions = {},
): Promise<OverlayPreview> {
  const loaded = await loadCapsules(context, options);
  const capsule = withDraft(loaded, findCapsule(loaded, id), text);
  const findings = await lintDraft(loaded, capsule);
  const prompt = await showPrompt(context, id, { ...options, overlay: text }).catch((error) => {
    if (failedWith(error, 'TEMPLATE_INVALID') && findings.length > 0) return null;
    throw error;
  });
  return { prompt, findings };
}
