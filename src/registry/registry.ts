import { join } from 'node:path';
import type { Db } from '../db/open-database.ts';
import type { Embedder } from '../embeddings/embedder.ts';
import { AppError } from '../errors.ts';
import { type Capsule, type CapsuleRoots, leftOut, readCapsules } from './capsule-store.ts';
import type { TaskKind } from './manifest.ts';
import { manifestIssue } from './manifest-issues.ts';
import { maskNames } from './named-files.ts';
import { decideRoute, keepByFiles, kindFor, type Route, type Thresholds } from './route.ts';
import { type SearchDocument, type ToolText, toSearchDocument } from './search-document.ts';
import { openSearchIndex, type SearchIndex } from './search-index.ts';
import { loadSkills, type Skill, type SkillCatalogue } from './skills.ts';
import { createStamp } from './stamp.ts';
import { composeSystemPrompt, type PromptVariables } from './system-prompt.ts';
import { thresholdsFor } from './thresholds.ts';

export type { Route } from './route.ts';

export interface RegistryOptions {
  readonly db: Db;
  readonly embedder: Embedder;
  readonly roots: CapsuleRoots;
  /** Folders of skills, strongest first. Default: `skills` in the shipped root. */
  readonly skillDirs?: readonly string[] | undefined;
  /** Every tool that there is: a manifest may grant no other. */
  readonly tools: readonly ToolText[];
  /** Default: those measured for the embedder. */
  readonly thresholds?: Partial<Thresholds> | undefined;
}

export interface RouteOptions {
  /** Whether a language model answers in this run. */
  readonly model: boolean;
  /** The capsule that a person named; nothing is searched then. */
  readonly named?: string | undefined;
  /** Tools that the capsule must be granted. */
  readonly toolsNeeded?: readonly string[] | undefined;
  /** Capsules that may not be chosen: quarantined ones, or those that failed this subtask. */
  readonly exclude?: readonly string[] | undefined;
}

/** Which capsules and skills there are, and which capsule a subtask should get. */
export interface Registry {
  /** Brings itself in step with the folders. A problem is a sentence about something that was left out. */
  sync(): Promise<{ problems: string[] }>;
  /** As of the last `sync`. */
  list(): readonly Capsule[];
  find(id: string): Capsule | undefined;
  skills(): readonly Pick<Skill, 'id' | 'name' | 'description'>[];
  kindFor(capsule: Capsule, hasModel: boolean): TaskKind | undefined;
  /** @throws AppError `SKILL_UNKNOWN`, `TEMPLATE_INVALID`. */
  systemPrompt(capsule: Capsule, variables: PromptVariables): string;
  /** @throws AppError `CAPSULE_UNKNOWN`, `NO_CAPSULE_FITS` where the named capsule can't do without a model. */
  route(text: string, options: RouteOptions): Promise<Route>;
}

/** Makes an empty registry; `sync` fills it. Nothing is embedded twice: see `openSearchIndex`. */
export function createRegistry(options: RegistryOptions): Registry {
  const { db, embedder, roots } = options;
  const tools = new Map(options.tools.map((tool) => [tool.name, tool]));
  const thresholds = { ...thresholdsFor(embedder.name), ...options.thresholds };
  let index: SearchIndex | undefined;
  let catalogue: SkillCatalogue | undefined;
  let capsules = new Map<string, Capsule>();
  let documents = new Map<string, SearchDocument>();
  const skillDirs = options.skillDirs ?? [join(roots.shipped, 'skills')];
  const stampNow = createStamp([...foldersOf(roots), ...skillDirs]);
  let last: { readonly stamp: string; readonly problems: string[] } | undefined;

  /** The folders are read again only where something in them may have changed. */
  async function sync(): Promise<{ problems: string[] }> {
    const stamp = stampNow();
    if (last?.stamp !== stamp) last = { stamp, ...(await readAll()) };
    return { problems: [...last.problems] };
  }

  async function readAll(): Promise<{ problems: string[] }> {
    const skills = await loadSkills(skillDirs);
    const read = readCapsules(roots);
    const problems = [...skills.problems, ...read.problems];
    const usable = read.capsules.filter((capsule) => {
      const problem = findProblem(capsule, skills.catalogue, tools);
      if (problem !== undefined) problems.push(leftOut(capsule, problem));
      return problem === undefined;
    });
    const found = usable.map((capsule) => [capsule.id, toSearchDocument(capsule, tools)] as const);
    index ??= openSearchIndex(db, embedder);
    await index.add(found.map(([, document]) => document));
    catalogue = skills.catalogue;
    documents = new Map(found);
    capsules = new Map(usable.map((capsule) => [capsule.id, capsule]));
    return { problems };
  }

  /** The capsules that may get a task, each with its document. */
  function eligible(
    text: string,
    { model, toolsNeeded = [], exclude = [] }: RouteOptions,
  ): Capsule[] {
    const able = [...capsules.values()].filter(
      (capsule) =>
        !exclude.includes(capsule.id) &&
        kindFor(capsule, model) !== undefined &&
        toolsNeeded.every((tool) => Object.hasOwn(capsule.manifest.grants.tools, tool)),
    );
    return [...keepByFiles(able, text, model)];
  }

  async function search(text: string, among: readonly Capsule[]) {
    const byHash = new Map<string, Capsule[]>();
    for (const capsule of among) {
      const hash = documents.get(capsule.id)?.hash ?? '';
      byHash.set(hash, [...(byHash.get(hash) ?? []), capsule]);
    }
    const hits = (await index?.search(maskNames(text), [...byHash.keys()])) ?? [];
    return hits.flatMap((hit) => (byHash.get(hit.hash) ?? []).map((capsule) => ({ capsule, hit })));
  }

  return {
    sync,
    list: () => [...capsules.values()],
    find: (id) => capsules.get(id),
    skills: () => catalogue?.list() ?? [],
    kindFor,
    systemPrompt(capsule, variables) {
      const where = join(capsule.dir, 'manifest.json');
      const skills = capsule.manifest.skills.flatMap((id) => catalogue?.get(id, where) ?? []);
      return composeSystemPrompt({ capsule, skills, variables });
    },
    async route(text, route) {
      if (route.named !== undefined) return routeToNamed(capsules, route.named, { text, ...route });
      const ranked = await search(text, eligible(text, route));
      return decideRoute(ranked, thresholds, route.model);
    },
  };
}

const foldersOf = ({ shipped, personal, project }: CapsuleRoots): readonly string[] =>
  project ? [shipped, personal, project.dir] : [shipped, personal];

function routeToNamed(
  capsules: ReadonlyMap<string, Capsule>,
  id: string,
  { text, model }: { text: string; model: boolean },
): Route {
  const capsule = capsules.get(id);
  if (!capsule) throw new AppError('CAPSULE_UNKNOWN', { id, known: [...capsules.keys()] });
  const kind = kindFor(capsule, model);
  if (kind) {
    return { zone: 'named', capsuleId: id, taskKind: kind.name, candidates: [], decidedBy: 'name' };
  }
  const problem = `"${id}" works only with a language model; choose one with --provider.`;
  throw new AppError('NO_CAPSULE_FITS', { subtask: text, problem });
}

/** What makes a well-formed capsule unusable here, as a failure: a skill or a tool that does not exist. */
function findProblem(
  { dir, manifest }: Capsule,
  catalogue: SkillCatalogue,
  tools: ReadonlyMap<string, ToolText>,
): unknown {
  const path = join(dir, 'manifest.json');
  const unknown = Object.keys(manifest.grants.tools).find((tool) => !tools.has(tool));
  if (unknown !== undefined) {
    const known = [...tools.keys()].join(', ');
    const issues = manifestIssue(
      'grants.tools',
      `there is no tool "${unknown}" (known: ${known}).`,
    );
    return new AppError('MANIFEST_INVALID', { path, issues });
  }
  try {
    for (const id of manifest.skills) catalogue.get(id, path);
    return undefined;
  } catch (error) {
    return error;
  }
}
