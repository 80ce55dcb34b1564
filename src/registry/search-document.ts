import { createHash } from 'node:crypto';
import type { Capsule } from './capsule-store.ts';
import { maskNames } from './named-files.ts';

/** One text of a capsule that a task is compared with. */
export interface SearchPart {
  /** `description`, `tool file_io`, `example: …`: shown in a routing receipt. */
  readonly label: string;
  readonly text: string;
}

/** What of a capsule is searched. Capsules with the same parts share it. */
export interface SearchDocument {
  /** SHA-256 of the parts. */
  readonly hash: string;
  readonly parts: readonly SearchPart[];
}

export interface ToolText {
  readonly name: string;
  readonly description: string;
}

/**
 * The description, each granted tool and each example task, file names masked: what is indexed matters more than how it
 * is searched.
 */
export function toSearchDocument(
  { manifest }: Capsule,
  tools: ReadonlyMap<string, ToolText>,
): SearchDocument {
  const { name, tags, grants, task_kinds } = manifest;
  const description = maskNames(manifest.description);
  const parts: SearchPart[] = [
    { label: 'description', text: [`${name}. ${description}`, ...tags].join(' ') },
    ...Object.keys(grants.tools).map((tool) => ({
      label: `tool ${tool}`,
      text: `${tool.replaceAll('_', ' ')}. ${firstSentence(tools.get(tool)?.description ?? '')}`,
    })),
    ...task_kinds.flatMap(({ examples }) =>
      examples.map((example) => ({ label: `example: ${example}`, text: maskNames(example) })),
    ),
  ];
  const unique = parts.filter(({ text }, i) => parts.findIndex((p) => p.text === text) === i);
  const hash = createHash('sha256')
    .update(JSON.stringify(unique.map(({ label, text }) => [label, text])))
    .digest('hex');
  return { hash, parts: unique };
}

/** Tool descriptions teach a model; their first sentence says what the tool is. */
const firstSentence = (text: string): string => /^.*?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text;
