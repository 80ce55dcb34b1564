import type { Clause } from './clauses.ts';
import { filesIn, gistOf, literal, type Piece, sizeOf, wordsOf } from './pieces.ts';
import { continues } from './rows.ts';
import { hasEffect, type Role, type Step, sentenceOf } from './step.ts';
import { contentWords, resultWords } from './vocabulary.ts';

/** Groups clauses into steps. Each clause is in exactly one step. */
export function stepsOf(clauses: readonly Clause[]): readonly Step[] {
  const steps: Step[] = [];
  let waiting: readonly Clause[] = [];
  for (const [index, clause] of clauses.entries()) {
    const at = ownerOf(clause, steps);
    const owner = steps[at];
    const next = clauses[index + 1];
    const isOwned = owner !== undefined && waiting.length === 0 && !leadsOn(clause, steps, next);
    if (isDescribing(clause) && !isOwned) waiting = [...waiting, clause];
    else {
      const said = [...waiting, clause];
      waiting = [];
      if (owner === undefined) steps.push(stepOf(said, clause, steps));
      else steps[at] = withClauses(owner, said);
    }
  }
  const last = steps.pop();
  if (last !== undefined) return [...steps, withClauses(last, waiting)];
  const [first] = waiting;
  return first === undefined ? [] : [newStep('other', waiting, first)];
}

const isDescribing = ({ kind }: Clause) => kind === 'context' || kind === 'qualify';

const filesOf = (clauses: readonly Clause[]) => clauses.flatMap(({ pieces }) => filesIn(pieces));

/** The index of the step that a clause continues or describes: the last step, or the last question before a save. */
function ownerOf(clause: Clause, steps: readonly Step[]): number {
  const last = steps.at(-1);
  const end = steps.length - 1;
  if (last === undefined) return -1;
  if (!isDescribing(clause)) return continues(clause, last) ? end : -1;
  const asked = steps.findLastIndex(({ role }) => role === 'ask');
  const isOfSave = last.role !== 'save' || sentenceOf(last) === clause.sentence || asked < 0;
  return isOfSave ? end : asked;
}

/** Whether a context belongs to the next clause: in the same sentence, or if it names a new file. */
function leadsOn({ kind, sentence, pieces }: Clause, steps: readonly Step[], next?: Clause) {
  const last = steps.at(-1);
  if (kind !== 'context' || last === undefined || next === undefined) return false;
  if (next.sentence === sentence) return true;
  const named = filesIn(pieces);
  const known = [...last.inputs, ...last.outputs];
  const isNew = named.length > 0 && !named.some((name) => known.includes(name));
  return isNew && sentenceOf(last) !== sentence;
}

const newStep = (role: Role, clauses: readonly Clause[], main: Clause): Step => ({
  ...{ role, clauses, main, inputs: filesOf(clauses), outputs: [], refersTo: 'none' },
});

function withClauses(step: Step, more: readonly Clause[]): Step {
  const inputs = filesOf(more).filter((name) => !step.outputs.includes(name));
  return { ...step, clauses: [...step.clauses, ...more], inputs: [...step.inputs, ...inputs] };
}

/** Starts a step with a clause. It may absorb the steps before it. */
function stepOf(clauses: readonly Clause[], main: Clause, steps: Step[]): Step {
  const { kind, pieces } = main;
  if (kind === 'save') return savingOf(clauses, main, steps);
  const step = newStep(roleOf(main), clauses, main);
  const refersTo = reachOf(main, step.role);
  if (kind === 'edit') return { ...step, outputs: step.inputs, refersTo };
  const targets = hasEffect(step) || step.role === 'fetch' ? targetsOf(pieces) : [];
  const outputs = targets.slice(kind === 'append' ? -1 : 0);
  return { ...withOutputs(step, outputs), refersTo };
}

const withOutputs = (step: Step, outputs: readonly string[]): Step => ({
  ...step,
  outputs,
  inputs: step.inputs.filter((name) => !outputs.includes(name)),
});

/** Files after `to`, `as` or `into`. */
const targetsOf = (pieces: readonly Piece[]): string[] =>
  filesIn(
    pieces.filter((_, at) =>
      /\b(?:to|as|into)(?: (?:a|the))?(?: file)? φ$/.test(gistOf(pieces, at - 3, at + 1)),
    ),
  );

const repository = /\b(?:git|(?:last|latest|newest) commit)\b/;

function roleOf({ kind, gist, pieces }: Clause): Role {
  const code = pieces.find((piece) => /[κπ]/.test(piece.gist));
  const isRun = kind === 'run' || (code?.gist === 'π' && kind !== 'append');
  if (code !== undefined && hasSql(code) && (isRun || kind === 'ask')) return 'sql';
  if (isRun) return 'run';
  if (/^(?:ask|question)$/.test(kind) && repository.test(gist)) return 'git';
  if (kind === 'fetch' && !gist.includes('υ')) return 'ask';
  return roles.get(kind) ?? 'other';
}

/** The roles of verbs that are not `other`. */
const roles = new Map<string, Role>([
  ...(['ask', 'edit', 'fetch', 'summarise', 'write'] as const).map((role) => [role, role] as const),
  ['append', 'edit'],
  ['question', 'ask'],
]);

const hasSql = ({ language, text }: Piece) =>
  /^sql(?:ite)?$/.test(language) || (language === '' && /^\s*(?:select|with)\b/i.test(text));

const backwards =
  /\b(?:it|them|those|these|that|this|both|everything|the (?:results?|outputs?|findings|answers?|page|pages|response|summary|summaries|matches))\b/;

/** The results that a step refers to by a pronoun. `that` may start a clause about its object. */
function reachOf({ gist, verb }: Clause, role: Role): Step['refersTo'] {
  const words = gist.slice(verb.length);
  const isReference = backwards.test(words.replace(/\bthat [a-z_][^ ]*/g, ' '));
  if (!isReference || role === 'sql' || role === 'run') return 'none';
  return /\b(?:it|that|this|output|page|response|summary)\b/.test(words) ? 'last' : 'all';
}

const savingRoles = { results: 'save', content: 'write', shape: 'ask', question: 'ask' } as const;

function savingOf(clauses: readonly Clause[], main: Clause, steps: Step[]): Step {
  const { kind, outputs } = readSaving(
    main,
    steps.flatMap((step) => step.clauses),
  );
  const isSummary = /\b(?:summary|summaries|overview)\b/.test(main.gist);
  const isNew = kind === 'question' || (kind === 'results' && steps.length + outputs.length === 0);
  const isFolder = kind === 'question' && /^make\b.*\b(?:folder|directory)\b/.test(main.gist);
  const role = isSummary && isNew ? 'summarise' : isFolder ? 'other' : savingRoles[kind];
  const step = withOutputs(newStep(role, clauses, main), outputs);
  if (kind === 'shape') return withAsked(step, steps);
  const isIt = /^[a-z]+ (?:it|this|that|the result)\b/.test(main.gist);
  return kind === 'results' ? { ...step, refersTo: isIt ? 'last' : 'all' } : step;
}

/** Merges a described file without a source with the questions before it, whose answers it contains. */
function withAsked(shape: Step, steps: Step[]): Step {
  let step = shape;
  for (let last = steps.at(-1); last !== undefined; last = steps.at(-1)) {
    const isSame =
      step.inputs.length === 0 || last.inputs.every((name) => step.inputs.includes(name));
    if (shape.inputs.length > 0 || last.role !== 'ask' || last.outputs.length > 0 || !isSame) break;
    steps.pop();
    const inputs = [...new Set([...step.inputs, ...last.inputs])];
    step = { ...step, clauses: [...last.clauses, ...step.clauses], main: last.main, inputs };
  }
  return step.inputs.length === 0 ? { ...step, refersTo: 'all' } : step;
}

/** What a clause with a verb such as `save` or `write` asks for. */
interface Saving {
  /** Whether it saves results, writes a text that the task contains, describes content and format of a file, or asks for something new. */
  readonly kind: 'results' | 'content' | 'shape' | 'question';
  readonly outputs: readonly string[];
}

const anyLiteral = new RegExp(literal);
const direct =
  /^ (?:(?:a|an|the|to|into) )?(?:(?:new|empty) )?(?:(?:file|report) )?(?:(?:called|named) )?φ/;
const placed =
  /^(.*?) (?:as|to|into|in|under|called|named|at) (?:(?:a|an|the) )?(?:(?:new|json|csv|text|markdown) )*(?:file )?(?:(?:called|named) )?φ/;

/** Reads a clause with a verb such as `save`. An object that consists of words of earlier clauses is a result. */
function readSaving({ gist, verb, pieces }: Clause, earlier: readonly Clause[]): Saving {
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
