import { type Token, tokenize } from '../language/lexer.ts';
import { numberWords } from '../language/lexicon.ts';
import { binding, reworded } from '../language/reword.ts';
import { isArticle } from '../language/words.ts';
import { type Captures, match } from './pattern.ts';

/** An instruction, ready to be matched with patterns. */
export interface Instruction {
  /** The reworded text that the tokens refer to. */
  readonly task: string;
  /** Tokens without articles, courtesy, punctuation and bans. */
  readonly tokens: readonly Token[];
  readonly bans: readonly Ban[];
}

/** A ban in a task: `do not change a.txt`, `without overwriting anything`. */
export interface Ban {
  /** `overwrite`: existing files must not be replaced. `change`: the files must not be touched at all. */
  readonly kind: 'change' | 'overwrite';
  /** `named`: the named files. `others`: files that the task does not mention. `all`: every existing file. */
  readonly reach: 'named' | 'others' | 'all';
  readonly files: readonly string[];
}

const framing = `((could|can|would|will) you|you (can|could|may|should|must) [now]|(i|we) (want|need|would like|have) [you] to|(i'd|we'd) like [you] to|go ahead [and]|help me|hi|hello|hey|let's|[and] then|next|finally|first|also|and)`;

const closing = 'for me|thanks|thank you';

/** Behind a question for yes or no, whose answer shows them anyway. */
const again = 'which [ones|one] [(are|is) (they|it|those)]|where [(are|is) (they|it|those)]';

const verbs =
  'change|changing|modify|modifying|edit|editing|alter|altering|touch|touching|delete|deleting|remove|removing|overwrite|overwriting|replace|replacing';
const anyFile =
  '(file itself|originals|original [files?]|inputs|input [files?]|sources|source [files?]|it|anything|[any] existing [files?]|[any] files?)';
const ban = `[but|and] (do not|don't|never|must not|without|not|be careful not to) [ever] verb:(${verbs}) [any of|contents of] ({files:file+}|other:(anything else|[any] other files?)|${anyFile} [(or|and) {files:file+}])`;

/** Maximum number of tokens in a ban. */
const MAX_BAN = 100;

/** Hyphenated measures that are read as two words: `one-sentence`, `5-bullet`. */
const measure = /\b(\w+)-(?=(?:sentence|word|line|bullet|point)\b)/gi;

const contraction =
  /\b(what|who|where|which|how|there|when)(?:['’]|(?<=what|where|how|there))s\b/gi;

/** A lead that gives the reason for a task: `The room has a new name: replace …`. */
const reason = new RegExp(
  `^(?:the|our|my|we|i|there|it|this)(?: (?!(?:${binding})\\b)[^\\s"“\`:.;!?\\d]+){1,9}[:.;]\\s+(?=\\S)`,
  'i',
);
const states = /\b(?:is|are|was|were|has|have|had|moved|changed|made|got)\b/;

/** Tasks that are complete without their lead. */
const complete = /^(?:please )?(?:replace|change|set|append|add)\b.*["“`].*\S\.\w/i;

/** Tasks that remove something or name many files, so that the lead may say which ones. */
const isBoundToLead = /^(?:please )?(?:delete|remove|move|rename|clear|empty)\b|\*/i;

const withoutReason = (task: string) =>
  task.replace(reason, (lead) => {
    const rest = task.slice(lead.length);
    return complete.test(rest) || (states.test(lead) && !isBoundToLead.test(rest)) ? '' : lead;
  });

/** Reads the text of a step. */
export function readInstruction(text: string): Instruction {
  const task = withoutReason(reworded(text).replace(contraction, '$1 is'));
  const words = tokenize(task.replace(measure, '$1 ')).filter(
    ({ kind, norm }) =>
      !(kind === 'word' && isArticle(norm)) && !(kind === 'mark' && /^[,;:.!?()]$/.test(norm)),
  );
  return { task, ...takeBans(unframed(words), task) };
}

function unframed(tokens: readonly Token[]): readonly Token[] {
  const from = countsFirst(tokens) ? 0 : (match(framing, tokens, 'start')?.size ?? 0);
  if (from > 0 && from < tokens.length) return unframed(tokens.slice(from));
  const isYesNo = /^(?:is|are|do|does|did|has|have)$/.test(tokens[0]?.norm ?? '');
  const last = match(isYesNo ? `${closing}|${again}` : closing, tokens, 'end');
  return tokens.slice(0, tokens.length - (last?.size ?? 0));
}

/** Whether `first` selects something (`first 2 lines`) instead of ordering steps. */
const countsFirst = ([first, next]: readonly Token[]): boolean =>
  first?.norm === 'first' &&
  (next?.kind === 'number' ||
    numberWords.has(next?.norm ?? '') ||
    /^(?:few|lines?|paragraph|sentence|words?|rows?)$/.test(next?.norm ?? ''));

/** Removes the bans that end their sentence or clause from a task. */
function takeBans(all: readonly Token[], task: string): Omit<Instruction, 'task'> {
  const bans: Ban[] = [];
  const tokens: Token[] = [];
  for (let at = 0; at < all.length; at += 1) {
    const found = match(ban, all.slice(at, at + MAX_BAN), 'start');
    const last = at + (found?.size ?? 1) - 1;
    const isBan = found && /^\s*(?:[.,;!]|$)/.test(task.slice(all[last]?.end));
    if (isBan) bans.push(banOf(found.captures));
    else tokens.push(...all.slice(at, at + 1));
    if (isBan) at = last;
  }
  return { tokens, bans };
}

function banOf({ files = [], verb = [], other }: Captures): Ban {
  const named = files.filter(({ kind }) => kind === 'file').map(({ text }) => text);
  const isOverwrite = /^(?:overwrit|replac)/.test(verb[0]?.norm ?? '');
  const reach = named.length > 0 ? 'named' : other ? 'others' : 'all';
  return { kind: isOverwrite ? 'overwrite' : 'change', files: named, reach };
}
