import type { CapsulePage } from '../../../../../contract/documents/capsule-documents.ts';

/** A saved overlay. Its lines end with `\n`, as in a text field. */
export interface SavedText {
  readonly text: string;
  /** Version of the text. A save must name the current version. */
  readonly version: string;
}

/** The overlay that is saved now. */
export const savedIn = (page: Pick<CapsulePage, 'overlay' | 'overlay_version'>): SavedText => ({
  text: page.overlay.replace(/\r\n?/g, '\n'),
  version: page.overlay_version,
});

/** The text that is being written, and the saved text that it is based on. */
export interface OverlayDraft {
  readonly text: string;
  readonly base: SavedText;
}

/** A draft without changes. */
export const draftOf = (saved: SavedText): OverlayDraft => ({ text: saved.text, base: saved });

/**
 * Rebases an unchanged draft on the text that is saved now. A changed draft keeps its `base`, which then differs from the
 * saved version until the person decides.
 */
export function followSaved(draft: OverlayDraft, saved: SavedText): OverlayDraft {
  if (draft.base.version === saved.version) return draft;
  const isUntouched = draft.text === draft.base.text;
  return isUntouched || draft.text === saved.text ? draftOf(saved) : draft;
}
