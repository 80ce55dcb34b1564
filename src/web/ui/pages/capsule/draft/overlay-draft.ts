/** A saved overlay. */
export interface SavedText {
  readonly text: string;
  /** Version of the text. A save must name the current version. */
  readonly version: string;
}

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
