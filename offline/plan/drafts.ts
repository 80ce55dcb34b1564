import type { Atom } from './atoms.ts';
import type { Clause } from './clauses.ts';
import { type Draft, type DraftRole, newDraft } from './draft.ts';
import { inIt } from './in-it.ts';
import { letter } from './letters.ts';
import { draftOutput } from './output-draft.ts';
import type { Span } from './spans.ts';
import { atomsIn, filesIn, type TaskText, targetsOf } from './task-text.ts';

interface Building {
  readonly task: TaskText;
  readonly drafts: Draft[];
  /** Context for the next action. */
  pending: Clause[];
  /** Constraints on effects, which are added to every step with an effect. */
  readonly constraints: Span[];
}

/** Turns clauses into drafts of steps. Each clause is in at least one of them. */
export function draftSteps(task: TaskText, clauses: readonly Clause[]): readonly Draft[] {
  const building: Building = { task, drafts: [], pending: [], constraints: [] };
  for (const [index, clause] of clauses.entries()) place(building, clause, clauses[index + 1]);
  const leftover = building.pending;
  building.pending = [];
  if (leftover.length > 0) settle(building, leftover);
  constrain(building);
  return building.drafts;
}

const aboutEffects =
  /\b(?:chang|modify|modif|edit|delet|remov|overwrit|touch|alter|writ|creat|sav|install|run|execut|renam|mov|send|network|internet)/i;

function place(building: Building, clause: Clause, next: Clause | undefined): void {
  const last = building.drafts.at(-1);
  switch (clause.kind) {
    case 'constraint':
      if (aboutEffects.test(clause.masked)) building.constraints.push(clause);
      else qualify(building, clause);
      return;
    case 'context':
      if (leadsOn(building, clause, next)) building.pending.push(clause);
      else qualify(building, clause);
      return;
    case 'qualify':
      qualify(building, clause);
      return;
    default:
      if (last !== undefined && goesOn(clause, last, building)) {
        last.after.push(...take(building), clause);
        last.asked += ` ${clause.masked}`;
      } else act(building, clause);
  }
}

/** Context belongs to the rest of its sentence if it is at the beginning, or if it names a new file. */
function leadsOn(building: Building, clause: Clause, next: Clause | undefined): boolean {
  const last = building.drafts.at(-1);
  if (last === undefined || building.pending.length > 0 || next?.sentence === clause.sentence)
    return true;
  if (next === undefined || last.sentence === clause.sentence) return false;
  const named = filesIn(building.task, clause);
  return (
    named.length > 0 &&
    named.every((name) => !last.inputs.includes(name) && !last.outputs.includes(name))
  );
}

/** A description belongs to the last step that asks for something, not to a save. */
function qualify(building: Building, clause: Clause): void {
  const last = building.drafts.at(-1);
  if (last === undefined) {
    building.pending.push(clause);
    return;
  }
  const sameSentence = last.sentence === clause.sentence;
  const asked = building.drafts.findLast(({ role }) => role === 'data' || role === 'shape');
  const target = last.role === 'save' && !sameSentence && asked !== undefined ? asked : last;
  target.after.push(clause);
  target.asked += ` ${clause.masked}`;
  target.inputs.push(
    ...filesIn(building.task, clause).filter((name) => !target.outputs.includes(name)),
  );
}

const take = (building: Building): Clause[] => {
  const { pending } = building;
  building.pending = [];
  return pending;
};

const sameThing = new RegExp(
  `^${letter}+\\s+(?:(?:it|them|those|these|the results?|the rows|the matches)(?=[\\s.!?]*$|\\s+(?:by|in|from|per|with|down|into|as)\\b)|by\\b|only\\b|per\\b)`,
  'i',
);

/** `… and group them by endpoint`, `…, sort by total`, `filter …, sum …`: continues the same question. */
function goesOn(clause: Clause, last: Draft, { task }: Building): boolean {
  if (clause.kind !== 'data' || (last.role !== 'data' && last.role !== 'shape')) return false;
  if (filesIn(task, clause).length > 0) return false;
  const asked = [last.main, ...last.after].map(({ start, end }) => task.masked.slice(start, end));
  if (narrows.test(asked[0] ?? '')) return true;
  if (ordering.test(asked[0] ?? '') && topRows.test(clause.masked)) return true;
  if (grouping.test(asked.join(' ')) && aggregating.test(clause.masked)) return true;
  return (
    sameThing.test(clause.masked) ||
    asked.slice(1).some((text) => sameThing.test(text)) ||
    speaksOf(clause.masked, asked.join(' '))
  );
}

const narrows = /^(?:filter|select|extract|join|merge)\b/i;
/** `group by country` needs a figure: `and sum the amount`. */
const grouping = /^group\b[^,]*\bby\b/i;
const aggregating =
  /^(?:sum|total|average|aggregate|count|(?:compute|calculate|find|show|report|give|determine|get)\s+(?:the\s+)?(?:sum|total|average|mean|median|count|number|minimum|maximum))\b(?!.*\b(?:by|per)\b)/i;
/** `sort … and show the top 4`: the rows in that order. */
const ordering = /^(?:sort|order|rank)\b/i;
const topRows =
  /^(?:show|list|print|display|give|find|select)\s+(?:me\s+)?(?:only\s+)?(?:the\s+)?(?:top|first|last)\b(?:\s+(?:\d+|two|three|four|five|six|seven|eight|nine|ten|twenty))?(?:\s+(?:of them|rows|lines|entries|ones))?[\s.!]*$/i;
const restricted =
  /\b(?:with|where|whose|that|which|having|matching|containing|between|after|before|over|above|below|under|than|only|without)\b/i;
const ranked =
  /\b(?:top|first|last|most|least|(?:slow|fast|larg|small|bigg|high|low|long|short|new|old|lat|earli|heavi|busi|cheap)est)\b|^\S+\s+(?:the\s+)?(?:\d+|two|three|four|five|six|seven|eight|nine|ten|twenty)\b/i;

const namedThing = new RegExp(`^${letter}+\\s+the\\s+(${letter}+)`);

/** `find the requests with status 500 and group the requests by …`: the filtered rows are meant. */
function speaksOf(clause: string, asked: string): boolean {
  const head = namedThing.exec(clause)?.[1];
  if (head === undefined || !restricted.test(asked) || ranked.test(asked)) return false;
  return new RegExp(`(?<!${letter})${head}(?!${letter})`, 'i').test(asked);
}

function act(building: Building, clause: Clause): void {
  const { task, drafts } = building;
  const context = take(building);
  if (clause.kind === 'output') {
    draftOutput(building, clause, context);
    return;
  }
  const role = roleOf(task, clause);
  const draft = newDraft(role, clause, context);
  draft.inputs = [...context, clause].flatMap((span) => filesIn(task, span));
  const writes =
    role === 'edit'
      ? draft.inputs
      : role === 'copy' || role === 'fetch' || role === 'run'
        ? targetsOf(task, clause)
        : [];
  draft.outputs = clause.kind === 'append' ? targetsOf(task, clause).slice(-1) : [...writes];
  draft.inputs = draft.inputs.filter(
    (name) => clause.kind === 'edit' || !draft.outputs.includes(name),
  );
  draft.refersTo = refersBack(clause, role);
  draft.pointsAtFile = inIt.test(clause.masked);
  draft.lead = leadFor(task, clause, role);
  drafts.push(draft);
}

const plainRoles = new Map<Clause['kind'], DraftRole>([
  ['data', 'data'],
  ['question', 'data'],
  ['append', 'edit'],
  ['edit', 'edit'],
  ['copy', 'copy'],
  ['fetch', 'fetch'],
  ['summarise', 'summarise'],
]);

function roleOf(task: TaskText, clause: Clause): DraftRole {
  const code = atomsIn(task, clause).find(({ kind }) => kind === 'code' || kind === 'fence');
  if (clause.kind === 'run' || (code?.kind === 'fence' && clause.kind !== 'append')) {
    if (code === undefined) return 'other';
    return isSql(code) ? 'sql' : 'run';
  }
  if (clause.kind === 'data' && code !== undefined && isSql(code)) return 'sql';
  const role = plainRoles.get(clause.kind) ?? 'other';
  if (role !== 'fetch') return role;
  return atomsIn(task, clause).some(({ kind }) => kind === 'url') ? 'fetch' : 'data';
}

const isSql = ({ language, value }: Atom) =>
  language === 'sql' ||
  language === 'sqlite' ||
  (language === '' && /^\s*(?:select|with)\b/i.test(value));

/** Code without any other words needs an instruction. */
function leadFor(task: TaskText, clause: Clause, role: DraftRole): string {
  if (!/^[\uE000\uE001]+[.]?$/.test(clause.masked.trim())) return '';
  if (role === 'sql') return 'Run this SQL query:\n';
  const language = atomsIn(task, clause)[0]?.language ?? '';
  return /^py/.test(language) ? 'Run this Python code:\n' : 'Run this command:\n';
}

const backwards =
  /\b(?:it|them|those|these|that|this|both|everything|the (?:results?|outputs?|findings|answers?|page|pages|response|summary|summaries|matches))\b/i;

const thatClause = new RegExp(`\\bthat\\s+${letter}+`, 'gi');

function refersBack(clause: Clause, role: DraftRole): Draft['refersTo'] {
  if (role === 'sql' || role === 'run') return 'none';
  const words = clause.masked.slice(clause.verb.length);
  if (!backwards.test(words)) return 'none';
  if (!backwards.test(words.replace(thatClause, ' '))) return 'none';
  return /\b(?:it|that|this|output|page|response|summary)\b/i.test(words) ? 'last' : 'unsaved';
}

/** Context at the end belongs to the last step. A task that is only context is one step. */
function settle(building: Building, leftover: readonly Clause[]): void {
  const last = building.drafts.at(-1);
  const [first, ...rest] = leftover;
  if (last !== undefined) last.after.push(...leftover);
  else if (first !== undefined) {
    const draft = newDraft('other', first, []);
    draft.after = rest;
    draft.inputs = leftover.flatMap((span) => filesIn(building.task, span));
    building.drafts.push(draft);
  }
}

const readsOnly: ReadonlySet<DraftRole> = new Set(['data', 'summarise', 'sql', 'fetch']);

function constrain({ drafts, constraints }: Building): void {
  if (constraints.length === 0) return;
  const acting = drafts.filter(({ role }) => !readsOnly.has(role));
  const targets = acting.length > 0 ? acting : drafts.slice(-1);
  if (targets.length === 0) {
    const [first] = constraints;
    if (first === undefined) return;
    const draft = newDraft(
      'other',
      { ...first, masked: '', kind: 'other', verb: '', sentence: 0, item: 0 },
      [],
    );
    draft.after = constraints.slice(1);
    drafts.push(draft);
    return;
  }
  for (const draft of targets) draft.after.push(...constraints);
}
