import type { OverlayDraft } from './overlay-draft.ts';

const keyOf = (capsule: string) => `capstan.draft.${capsule}`;

/** An overlay has at most 262,144 characters; a draft also contains the text that it is based on. */
const MAX_DRAFT_CHARACTERS = 1_000_000;

function isDraft(value: unknown): value is OverlayDraft {
  const { text, base } = (value ?? {}) as Partial<OverlayDraft>;
  const texts = [text, base?.text, base?.version];
  return texts.every((one) => typeof one === 'string');
}

/** The unsaved draft of a capsule in this tab. Anything else that is stored in its place is ignored. */
export function keptDraft(capsule: string): OverlayDraft | undefined {
  const kept = sessionStorage.getItem(keyOf(capsule));
  try {
    const draft: unknown = JSON.parse(kept ?? 'null');
    return isDraft(draft) ? draft : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a changed draft until this tab is closed. A draft without changes, or too long to be saved, is not kept. */
export function keepDraft(capsule: string, draft: OverlayDraft): void {
  const isChanged = draft.text !== draft.base.text;
  const text = isChanged ? JSON.stringify(draft) : '';
  if (!isChanged || text.length > MAX_DRAFT_CHARACTERS) {
    sessionStorage.removeItem(keyOf(capsule));
    return;
  }
  try {
    sessionStorage.setItem(keyOf(capsule), text);
  } catch {
    // The browser's storage for this tab is full. The page still asks before it is closed.
  }
}
