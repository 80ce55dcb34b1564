/** An overlay as it was read. */
export interface SavedText {
  readonly text: string;
  /** The version of the text, which a save must match. */
  readonly version: string;
}

/** A text that is being written, and the saved one that it began with. */
export interface OverlayDraft {
  readonly text: string;
  readonly base: SavedText;
}

export const draftOf = (saved: SavedText): OverlayDraft => ({ text: saved.text, base: saved });

/**
 * The draft beside what is saved now. It follows the saved text as long as nothing of it is lost; else its `base` stays
 * another version than the saved one until the person decides.
 */
export function followSaved(draft: OverlayDraft, saved: SavedText): OverlayDraft {
  if (draft.base.version === saved.version) return draft;
  const isUntouched = draft.text === draft.base.text;
  return isUntouched || draft.text === saved.text ? draftOf(saved) : draft;
}
