import type { TokenKind } from '../language/lexer.ts';

/** The content of a slot: a token of a kind, a number, a bare word, the name of a folder, a kind of file, or any words. */
export type SlotKind = TokenKind | 'n' | 'name' | 'ending' | 'words';

export type Node =
  | { readonly is: 'word'; readonly forms: readonly string[] }
  | {
      readonly is: 'slot';
      readonly name: string;
      readonly kinds: readonly SlotKind[];
      readonly isList: boolean;
    }
  | {
      readonly is: 'choice';
      /** The name of the captured words. */
      readonly name: string | undefined;
      readonly options: readonly (readonly Node[])[];
    };

const pieces = /(\w+):(?=[([])|([([|\])])|\{(?:(\w+):)?([\w|]+)(\+)?\}|([^\s()[\]{}|]+)/g;

/**
 * Reads a pattern: words; `(a|b)` alternatives; `[a]` optional; `end:(first|last)` the same with a name;
 * `{file}` or `{name:file|glob}` a slot, `{files:file+}` a list; `lines?` with or without its last letter.
 */
export const parsePattern = (source: string): readonly Node[] =>
  sequence({ pieces: [...source.matchAll(pieces)], at: 0 });

interface Source {
  readonly pieces: readonly RegExpMatchArray[];
  at: number;
}

const markAt = ({ pieces, at }: Source): string | undefined => pieces[at]?.[2];

/** The nodes before an end mark. */
function sequence(source: Source): readonly Node[] {
  const nodes: Node[] = [];
  for (; source.at < source.pieces.length; source.at += 1) {
    const mark = markAt(source);
    if (mark !== undefined && '|])'.includes(mark)) break;
    nodes.push(nodeAt(source));
  }
  return nodes;
}

function nodeAt(source: Source): Node {
  const [text, name, mark, slot, kinds, many] = source.pieces[source.at] ?? [''];
  if (name !== undefined) source.at += 1;
  if (name !== undefined || mark !== undefined) return choice(source, name);
  if (kinds === undefined) return wordNode(text);
  return {
    is: 'slot',
    name: slot ?? kinds,
    kinds: kinds.split('|') as SlotKind[],
    isList: many !== undefined,
  };
}

function choice(source: Source, name: string | undefined): Node {
  const isOptional = markAt(source) === '[';
  const options: (readonly Node[])[] = [];
  do {
    source.at += 1;
    options.push(sequence(source));
  } while (markAt(source) === '|');
  return { is: 'choice', name, options: isOptional ? [...options, []] : options };
}

const wordNode = (text: string): Node => ({
  is: 'word',
  forms: text.endsWith('?') ? [text.slice(0, -2), text.slice(0, -1)] : [text],
});

/** The literal words of a pattern. */
export const wordsOf = (nodes: readonly Node[]): string[] =>
  nodes.flatMap((node) =>
    node.is === 'word' ? node.forms : node.is === 'choice' ? node.options.flatMap(wordsOf) : [],
  );
