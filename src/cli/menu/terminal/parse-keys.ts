import type { Key, KeyInput } from './key.ts';

/** Maximum length of a paste, in characters. */
const PASTE_CHARS = 4 * 1024 * 1024;
const PASTE_START = '\u001b[200~';
const PASTE_END = '\u001b[201~';
const ESC = '\u001b';

/** Parses the input of a terminal into keys. A sequence may arrive in any number of pieces. */
export function createKeyParser() {
  let rest = '';
  let pasted: string | undefined;

  const takePaste = (text: string): string | undefined => {
    const all = `${pasted ?? ''}${text}`;
    const end = all.indexOf(PASTE_END);
    if (end >= 0) {
      pasted = undefined;
      rest = all.slice(end + PASTE_END.length);
      return all.slice(0, end);
    }
    // Keeps the beginning, and enough of the end to find the end marker.
    pasted = all.length > PASTE_CHARS ? `${all.slice(0, PASTE_CHARS - 8)}${all.slice(-8)}` : all;
    rest = '';
    return undefined;
  };

  /** Takes the first key or paste off `rest`; undefined if it is incomplete. */
  const takeNext = (): { readonly input?: KeyInput | undefined } | undefined => {
    if (pasted !== undefined) {
      const paste = takePaste(rest);
      return paste === undefined ? {} : { input: { paste: paste.replace(/\r\n?/g, '\n') } };
    }
    if (rest.startsWith(PASTE_START)) {
      pasted = '';
      rest = rest.slice(PASTE_START.length);
      return {};
    }
    const next = nextKey(rest);
    if (next) rest = rest.slice(next.length);
    return next && { input: next.key };
  };

  return {
    feed(chunk: string): readonly KeyInput[] {
      const inputs: KeyInput[] = [];
      rest += chunk;
      while (rest !== '') {
        const taken = takeNext();
        if (!taken) break;
        if (taken.input) inputs.push(taken.input);
      }
      return inputs;
    },
    /** Whether an ESC waits for the rest of a possible sequence. */
    isWaiting: () => rest === ESC,
    /** Returns the waiting ESC as a key, because nothing followed it. */
    flush(): readonly KeyInput[] {
      if (rest !== ESC) return [];
      rest = '';
      return [keyOf('esc')];
    },
  };
}

interface Step {
  /** Undefined for an unknown sequence. */
  readonly key: Key | undefined;
  readonly length: number;
}

/** The key at the start of `text`; undefined if it is incomplete. */
function nextKey(text: string): Step | undefined {
  if (text[0] !== ESC) return plainKey(text);
  if (text.length === 1) return undefined;
  const second = text[1] as string;
  if (second === ESC) return { key: keyOf('esc'), length: 1 };
  if (second === '[') return controlSequence(text);
  if (second === 'O') {
    const final = text[2];
    if (final === undefined) return undefined;
    return { key: named(finals[final], NO_MODIFIER), length: 3 };
  }
  const { key, length } = plainKey(text.slice(1));
  const name = key.name === 'text' ? key.text : key.name;
  return { key: { ...key, name, text: '', alt: true }, length: length + 1 };
}

function plainKey(text: string): { readonly key: Key; readonly length: number } {
  const code = text.codePointAt(0) ?? 0;
  const length = code > 0xffff ? 2 : 1;
  if (code === 13) return { key: keyOf('enter'), length };
  if (code === 9) return { key: keyOf('tab'), length };
  if (code === 127 || code === 8) return { key: keyOf('backspace'), length };
  if (code < 32) {
    const name = code === 0 ? 'space' : String.fromCharCode(code + 64).toLowerCase();
    return { key: { ...keyOf(name), ctrl: true }, length };
  }
  return { key: { ...keyOf('text'), text: text.slice(0, length) }, length };
}

/** `ESC [`, parameters, one final character. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what it begins with
const SEQUENCE = /^\u001b\[([0-9:;<=>?]*)([ -/]*)([@-~])/;

function controlSequence(text: string): Step | undefined {
  const found = SEQUENCE.exec(text);
  if (!found) {
    // A character that no sequence contains ends it; otherwise more input is needed.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: see above
    return /^\u001b\[[ -?]*$/.test(text) ? undefined : { key: undefined, length: 2 };
  }
  const [all, parameters = '', , final = ''] = found;
  const [first = 0, second = 1, third = 0] = parameters
    .split(';')
    .map((one) => Number.parseInt(one, 10) || 0);
  const modifier = modifierOf(second || 1);
  const key = () => {
    if (final === 'u') return byCode(first, modifier);
    if (final === '~' && first === 27) return byCode(third, modifier);
    if (final === '~') return named(numbers[first], modifier);
    if (final === 'Z') return named('tab', { ...NO_MODIFIER, shift: true });
    return named(finals[final], modifier);
  };
  return { key: key(), length: all.length };
}

type Modifier = Pick<Key, 'ctrl' | 'alt' | 'shift'>;

const NO_MODIFIER: Modifier = { ctrl: false, alt: false, shift: false };

function modifierOf(parameter: number): Modifier {
  const bits = parameter - 1;
  return { shift: (bits & 1) > 0, alt: (bits & 2) > 0, ctrl: (bits & 4) > 0 };
}

const keyOf = (name: string): Key => ({ name, text: '', ...NO_MODIFIER });

const named = (name: string | undefined, modifier: Modifier): Key | undefined =>
  name === undefined ? undefined : { ...keyOf(name), ...modifier };

/** A key that the terminal reports by its character code. */
function byCode(code: number, modifier: Modifier): Key | undefined {
  const special = codes[code];
  if (special) return named(special, modifier);
  if (code < 32 || code > 0x10ffff || (code >= 0xe000 && code <= 0xf8ff)) return undefined;
  const text = String.fromCodePoint(code);
  if (modifier.ctrl || modifier.alt) return named(text.toLowerCase(), modifier);
  return { ...keyOf('text'), text: modifier.shift ? text.toUpperCase() : text };
}

const codes: Readonly<Record<number, string>> = {
  9: 'tab',
  13: 'enter',
  27: 'esc',
  127: 'backspace',
};

const finals: Readonly<Record<string, string>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  F: 'end',
  H: 'home',
  M: 'enter',
};

const numbers: Readonly<Record<number, string>> = {
  1: 'home',
  3: 'delete',
  4: 'end',
  5: 'page-up',
  6: 'page-down',
  7: 'home',
  8: 'end',
};
