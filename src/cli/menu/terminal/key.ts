/** One key as a person pressed it. */
export interface Key {
  /**
   * `text` for keys that insert characters; `enter`, `esc`, `tab`, `backspace`, `delete`, `up`, `down`, `left`, `right`,
   * `home`, `end`, `page-up`, `page-down`; with `ctrl` or `alt` also the letter or sign itself: `c`, `r`.
   */
  readonly name: string;
  /** The character that it types; empty if it types none, as with `ctrl` and `alt`. */
  readonly text: string;
  readonly ctrl: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
}

/** Pasted text. It is never interpreted as keys. */
export interface Paste {
  readonly paste: string;
}

export type KeyInput = Key | Paste;

/** Whether the input is a paste. */
export const isPaste = (input: KeyInput): input is Paste => 'paste' in input;

/** The character of a key without ctrl and alt; undefined for any other input. Only such a key answers a question. */
export const plainText = (input: KeyInput): string | undefined =>
  !isPaste(input) && input.name === 'text' && !input.ctrl && !input.alt ? input.text : undefined;

/** Whether it is this named key without ctrl and alt: `isKey(input, 'esc')`. */
export const isKey = (input: KeyInput, name: string): boolean =>
  !isPaste(input) && input.name === name && !input.ctrl && !input.alt;

/** Whether it is this letter with ctrl: `isCtrl(input, 'c')`. */
export const isCtrl = (input: KeyInput, name: string): boolean =>
  !isPaste(input) && input.name === name && input.ctrl && !input.alt;
