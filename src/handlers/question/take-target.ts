import { atClauseStart } from './clause-start.ts';
import { type Draft, hasTarget, nextDraft, noteTarget, type Reader } from './draft.ts';
import type { NamedMeasure } from './named-measure.ts';
import { parseMeasures } from './parse-measure.ts';
import { type Noun, parseNoun } from './parse-noun.ts';
import { parseRanking, parseSelection, type Ranking } from './parse-target.ts';
import { attempt, eat, peek } from './parser.ts';
import { phrases } from './phrases.ts';

/** Verbs that ask for something; none changes what is asked for, but `count` and `group`. */
const verbs =
  phrases(`find out|find|list|show|give|get|display|identify|extract|return|report|determine|compute|calculate|tell
  select|pick|print|what is|what are|what was|what were|which|what|who|count up|count|group|summarise|summarize
  aggregate|retrieve|fetch|rank`);

/** A verb begins another question where the one before has its target. */
export function eatVerb(reader: Reader): boolean {
  const { parser } = reader;
  const start = parser.at;
  const verb = atClauseStart(parser) ? eat(parser, ...verbs) : undefined;
  if (verb === undefined) return false;
  const draft = hasTarget(reader.current) ? nextDraft(reader, start) : reader.current;
  draft.verb = verb;
  draft.isClosed = false;
  return true;
}

/** Takes what is asked for: measures, a ranking, columns, or rows. */
export function takeTarget(reader: Reader): boolean {
  const { parser } = reader;
  const start = parser.at;
  return [takeMeasures, takeRanking, takeCount, takeBare, takeColumns].some((take) => {
    parser.at = start;
    return take(reader);
  });
}

/** A second value must be joined to the first by a comma or a word; else it may be about something else: "endpoints have errors". */
function isJoined({ parser, current }: Reader): boolean {
  if (!hasTarget(current)) return true;
  const before = peek(parser, -1);
  return before === undefined || joints.has(before.norm);
}

const joints = new Set(phrases(', |and|:|;|.|&|plus|with|(|/|as|?|!').map((joint) => joint.trim()));

function takeMeasures(reader: Reader): boolean {
  if (!isJoined(reader)) return false;
  const measures = parseMeasures(reader.parser, { bare: false });
  if (!measures) return false;
  const draft = draftForMeasures(reader);
  for (const named of measures) addMeasure(draft, named, undefined);
  return true;
}

/** Measures join those of the same question; behind rows, or in a new sentence, they are another one. */
function draftForMeasures(reader: Reader): Draft {
  const { current } = reader;
  const isBehindRows =
    current.ranking !== undefined && current.ranking.noun.dimension === undefined;
  const isOther =
    isBehindRows || current.selection !== undefined || (current.isClosed && hasTarget(current));
  return isOther ? nextDraft(reader) : current;
}

function addMeasure(draft: Draft, named: NamedMeasure, noun: Noun | undefined): void {
  noteTarget(draft);
  draft.measures.push({
    named,
    own: [],
    noun,
    isImplied: draft.verb === 'group' && noun !== undefined,
  });
  draft.last = 'measure';
}

function takeRanking(reader: Reader): boolean {
  if (!isJoined(reader)) return false;
  const { parser } = reader;
  const ranking = attempt(parser, (inner) => {
    const found = parseRanking(inner);
    return found?.isRanked || found?.having ? found : undefined;
  });
  if (!ranking) return false;
  setRanking(reader, ranking);
  return true;
}

function setRanking(reader: Reader, ranking: Ranking): void {
  const draft = hasTarget(reader.current) ? nextDraft(reader) : reader.current;
  noteTarget(draft);
  draft.ranking = ranking;
  draft.last = 'other';
}

/** "count the clients": a noun that is counted because the verb says so. */
function takeCount(reader: Reader): boolean {
  const { parser, current } = reader;
  if (!current.verb?.startsWith('count') || hasTarget(current)) return false;
  const noun = attempt(parser, parseNoun);
  if (!noun?.dimension) return false;
  parser.meanings.add(`number of ${noun.phrase} = distinct values of ${noun.dimension.name}`);
  const measure = {
    name: noun.phrase,
    aggregate: 'distinct',
    argument: noun.dimension.expression,
    where: [],
  } as const;
  addMeasure(current, { measure, phrase: noun.phrase, isCount: true }, undefined);
  return true;
}

/** `errors`, `requests`, `bytes`: counted or summed where something is grouped, else listed. */
function takeBare(reader: Reader): boolean {
  if (!isJoined(reader)) return false;
  const { parser } = reader;
  const start = parser.at;
  const [named] = parseMeasures(parser) ?? [];
  if (!named) return false;
  const end = parser.at;
  parser.at = start;
  const noun = attempt(parser, parseNoun);
  parser.at = end;
  const isListed = noun !== undefined && (noun.dimension === undefined || noun.isDistinct);
  addMeasure(draftForMeasures(reader), named, isListed ? noun : undefined);
  return true;
}

function takeColumns(reader: Reader): boolean {
  if (hasTarget(reader.current)) return false;
  const { parser } = reader;
  const selection = attempt(parser, parseSelection);
  if (selection) {
    const draft = hasTarget(reader.current) ? nextDraft(reader) : reader.current;
    noteTarget(draft);
    draft.selection = selection;
    draft.filters.push(...selection.filters);
    draft.last = 'other';
    return true;
  }
  const list = attempt(parser, parseRanking);
  if (!list?.noun.dimension) return false;
  setRanking(reader, list);
  return true;
}
