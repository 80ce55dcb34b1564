import { hasOtherScript, splitByScript } from '../../../embeddings/other-scripts.ts';
import { sha256 } from '../../../platform/text/canonical-hash.ts';
import type { Capsule } from '../../capsule-store.ts';
import { maskNames } from '../../files/named-files.ts';
import { maskTask } from '../mask-task.ts';

/** `corrected`: a person said that this task is for it; `against`: a person said that it is not. */
export type PartKind = 'part' | 'corrected' | 'against';

/** A text of a capsule that tasks are compared with. */
export interface SearchPart {
  readonly kind: PartKind;
  /** `description`, `name`, `tool file_io`, `example: …`, `done: …`, `corrected: …`, `not: …`: shown in a routing receipt. */
  readonly label: string;
  readonly text: string;
}

/** The texts of a capsule that are searched. */
export interface SearchDocument {
  /** The capsule's folder. A document replaces the previous one of its owner. */
  readonly owner: string;
  /** SHA-256 of the parts. */
  readonly hash: string;
  readonly parts: readonly SearchPart[];
}

export interface ToolText {
  readonly name: string;
  readonly description: string;
}

/** What was learnt about a capsule. */
export interface Learnt {
  /** Tasks that it completed. */
  readonly completed: readonly string[];
  /** Tasks that corrections gave to it. */
  readonly corrected: readonly string[];
  /** Tasks that corrections took from it. */
  readonly against: readonly string[];
}

const NOTHING_LEARNT: Learnt = { completed: [], corrected: [], against: [] };

/** A capsule as texts. */
export interface SearchTexts {
  readonly name: string;
  readonly description: string;
  readonly tools: readonly ToolText[];
  readonly examples: readonly string[];
  readonly learnt?: Learnt | undefined;
}

/**
 * The parts of a capsule: description, name, each tool, each example task, and learnt tasks, with file names masked.
 */
export function toSearchDocument(owner: string, texts: SearchTexts): SearchDocument {
  const { name, description, tools, examples, learnt = NOTHING_LEARNT } = texts;
  const tasks = (kind: PartKind, label: string, all: readonly string[]) =>
    all.map((task) => ({ kind, label: `${label}: ${task}`, text: maskTask(task) }));
  const parts: SearchPart[] = [
    { kind: 'part', label: 'description', text: maskNames(description) },
    { kind: 'part', label: 'name', text: spaced(name) },
    ...tools.map((tool): SearchPart => {
      const text = maskNames(`${spaced(tool.name)}. ${tool.description}`);
      return { kind: 'part', label: `tool ${tool.name}`, text };
    }),
    ...tasks('part', 'example', examples),
    ...tasks('part', 'done', learnt.completed),
    ...tasks('corrected', 'corrected', learnt.corrected),
    ...tasks('against', 'not', learnt.against),
  ];
  const split = parts.flatMap((part) =>
    splitByScript(part.text).map((text) => ({ ...part, text })),
  );
  const unique = new Map(split.map((part) => [`${part.kind} ${part.text}`, part]));
  const all = [...unique.values()].map(({ kind, label, text }) => [kind, label, text]);
  return { owner, hash: sha256(JSON.stringify(all)), parts: [...unique.values()] };
}

/**
 * The parts of a document in one group, or in two if some are in Latin letters and some in others: a task is in one script,
 * and a mean over both scripts would be far from it.
 */
export function groupByScript(
  parts: readonly SearchPart[],
): readonly [readonly SearchPart[], ...(readonly SearchPart[])[]] {
  const own = parts.filter(({ kind }) => kind !== 'against');
  const others = own.filter(({ text }) => hasOtherScript(text));
  if (others.length === 0 || others.length === own.length) return [own];
  return [own.filter((part) => !others.includes(part)), others];
}

/** The texts of a capsule; of a tool, only the first sentence of its description. */
export function textsOf(
  { manifest }: Pick<Capsule, 'manifest'>,
  tools: ReadonlyMap<string, ToolText>,
  learnt?: Learnt,
): SearchTexts {
  const { name, tags, grants, task_kinds } = manifest;
  return {
    name,
    description: [manifest.description, ...tags].join(' '),
    tools: Object.keys(grants.tools).map((tool) => ({
      name: tool,
      description: firstSentence(tools.get(tool)?.description ?? ''),
    })),
    examples: task_kinds.flatMap(({ examples }) => examples),
    learnt,
  };
}

/** `getWeather_byCity` as words: `get Weather by City`. */
const spaced = (name: string): string =>
  name.replace(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z]{2})/g, ' ').replace(/[_.-]+/g, ' ');

const firstSentence = (text: string): string => /^.*?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text;
