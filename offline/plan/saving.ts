import type { Clause } from './clauses.ts';
import { filesIn, literal, sizeOf, wordsOf } from './pieces.ts';
import { contentWords, resultWords } from './vocabulary.ts';

/** What a clause with a verb such as `save` or `write` asks for. */
export interface Saving {
  /**
   * - `results`: saves results of earlier steps
   * - `content`: writes a text that the task contains
   * - `shape`: describes content and format of a file, which one step creates
   * - `question`: asks for something new, with or without a file for it
   */
  readonly kind: 'results' | 'content' | 'shape' | 'question';
  readonly outputs: readonly string[];
}

const anyLiteral = new RegExp(literal);
const direct =
  /^ (?:(?:a|an|the|to|into) )?(?:(?:new|empty) )?(?:(?:file|report) )?(?:(?:called|named) )?φ/;
const placed =
  /^(.*?) (?:as|to|into|in|under|called|named|at) (?:(?:a|an|the) )?(?:(?:new|json|csv|text|markdown) )*(?:file )?(?:(?:called|named) )?φ/;

/**
 * Reads a clause that starts with a verb such as `save`.
 *
 * @param earlier The clauses of earlier steps. An object that consists of their words is a result.
 */
export function readSaving({ gist, verb, pieces }: Clause, earlier: readonly Clause[]): Saving {
  const body = gist.slice(verb.length);
  const [said = '', object] = direct.exec(body) ?? placed.exec(body) ?? [];
  if (said === '') {
    const isAll = wordsOf(body).length > 0 && isResult(body, []);
    return { kind: isAll ? 'results' : 'question', outputs: [] };
  }
  const kind = kindOf(body.slice(said.length), object, earlier);
  const target = pieces.slice(0, sizeOf(verb + said)).slice(-1);
  return { kind, outputs: filesIn(kind === 'results' ? pieces : target) };
}

/** The kind of a clause with a file. Without an object, as in `write a.md`, it saves results. */
function kindOf(rest: string, object = '', earlier: readonly Clause[] = []): Saving['kind'] {
  const isDirect = object === '';
  const hasContent = /[πκθσ]/.test(object + rest);
  const isForm = isDirect && /^(?: :)?(?: (?:as|with))?(?: :)? σ/.test(rest);
  if (hasContent && !isForm && areAll(object + rest, contentWords)) return 'content';
  if (!isResult(object, earlier))
    return hasContent && !(object + rest).includes('θ') ? 'shape' : 'question';
  const described = isDirect ? /[πκθσ]| : ./ : /[πκσ]| : ./;
  return described.test(rest) || !areAll(rest, resultWords) ? 'shape' : 'results';
}

const areAll = (gist: string, known: ReadonlySet<string>) =>
  wordsOf(gist).every((word) => known.has(word));

const isResult = (object: string, earlier: readonly Clause[]) =>
  !anyLiteral.test(object) &&
  wordsOf(object).every(
    (word) => resultWords.has(word) || earlier.some(({ gist }) => hasForm(gist, word)),
  );

/** Whether a gist has a form of a word, by simple stems. */
const hasForm = (gist: string, word: string) =>
  wordsOf(gist).some((one) => stemOf(one) === stemOf(word));

const stemOf = (word: string) => word.replace(/(?:ies|es|s|ed|ing)$/, '');
