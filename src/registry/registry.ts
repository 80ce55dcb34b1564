import { join } from 'node:path';
import { AppError } from '../contract/errors.ts';
import type { Db } from '../db/open-database.ts';
import type { Embedder } from '../embeddings/embedder.ts';
import type { Redactor } from '../policy/secrets/redact.ts';
import { capsuleProblem } from './capsule-problem.ts';
import { type Capsule, type CapsuleRoots, leftOut, readCapsules } from './capsule-store.ts';
import { namedInText } from './files/named-in-text.ts';
import { stampOf } from './files/stamp.ts';
import type { TaskKind } from './manifest/manifest.ts';
import { loadSkills, type Skill, type SkillCatalogue, type SkillRoot } from './overlay/skills.ts';
import {
  type ComposedPrompt,
  composePrompt,
  type PromptVariables,
} from './overlay/system-prompt.ts';
import { documentsOf } from './search/index/capsule-documents.ts';
import { createLearntStore, learntKey } from './search/index/learnt-store.ts';
import type { ToolText } from './search/index/search-document.ts';
import {
  type IndexProgress,
  openSearchIndex,
  type SearchIndex,
} from './search/index/search-index.ts';
import { maskTask } from './search/mask-task.ts';
import {
  decideRoute,
  eligibleCapsules,
  keepByFiles,
  kindFor,
  type Route,
  type RouteMeasure,
  type RouteOptions,
  type Thresholds,
  thresholdsFor,
} from './search/route.ts';

export type { Route, RouteOptions } from './search/route.ts';

export interface RegistryOptions {
  readonly db: Db;
  readonly embedder: Embedder;
  /** Removes secrets from tasks before they are stored. */
  readonly redactor: Redactor;
  readonly roots: CapsuleRoots;
  /** Folders of skills, strongest first. Default: `skills` in the shipped root. */
  readonly skillRoots?: readonly SkillRoot[] | undefined;
  /** All tools. A manifest can't grant others. */
  readonly tools: readonly ToolText[];
  /** Default: the values measured for the embedder. */
  readonly thresholds?: Partial<Thresholds> | undefined;
  /** Called while texts are embedded. The first time, and after a change of embedder, all texts are. */
  readonly onProgress?: ((progress: IndexProgress) => void) | undefined;
}

/** The available capsules and skills, and the choice of a capsule for a subtask. */
export type Registry = ReturnType<typeof createRegistry>;

/** Characters of a task that are searched for; the rest of a longer task is ignored. */
const MAX_SEARCHED = 20_000;

/** How similar a task must be to a correction to override the check of file kinds. */
const OVER_FILES = 0.1;

/** Creates an empty registry; `sync` fills it. No text is embedded twice: see `openSearchIndex`. */
export function createRegistry(options: RegistryOptions) {
  const { db, embedder, roots, redactor } = options;
  const tools = new Map(options.tools.map((tool) => [tool.name, tool]));
  const thresholds = { ...thresholdsFor(embedder.name), ...options.thresholds };
  const learnt = createLearntStore(db, () => new Date(), redactor);
  let index: SearchIndex | undefined;
  let catalogue: SkillCatalogue | undefined;
  let capsules = new Map<string, Capsule>();
  /** Keys of the capsules that corrections point to. */
  let corrected: ReadonlySet<string> = new Set();
  const skillRoots = options.skillRoots ?? [{ dir: join(roots.shipped, 'skills') }];
  const folders = [...foldersOf(roots), ...skillRoots.map(({ dir }) => dir)];
  let last: { readonly stamp: string; readonly problems: string[] } | undefined;

  /** Reads everything again, but only if a folder may have changed or something was learnt. */
  async function sync(): Promise<{ problems: string[] }> {
    const stamp = `${stampOf(folders)} ${learnt.stamp()}`;
    if (last?.stamp !== stamp) last = { stamp, ...(await readAll()) };
    return { problems: [...last.problems] };
  }

  async function readAll(): Promise<{ problems: string[] }> {
    const skills = await loadSkills(skillRoots);
    const read = readCapsules(roots);
    const problems = [...skills.problems, ...read.problems];
    const usable = read.capsules.filter((capsule) => {
      const problem = capsuleProblem(capsule, skills.catalogue, tools);
      if (problem !== undefined) problems.push(leftOut(capsule, problem));
      return problem === undefined;
    });
    index ??= openSearchIndex(db, embedder);
    const documents = await documentsOf(usable, tools, learnt, embedder);
    await index.hold(documents, options.onProgress);
    corrected = learnt.correctedKeys();
    catalogue = skills.catalogue;
    capsules = new Map(usable.map((capsule) => [capsule.id, capsule]));
    return { problems };
  }

  const known = (id: string): Capsule => {
    const capsule = capsules.get(id);
    if (capsule) return capsule;
    throw new AppError('CAPSULE_UNKNOWN', { id, known: [...capsules.keys()] });
  };

  return {
    /** Reads the folders again if they changed. Each problem is a message about something that was left out. */
    sync: inTurn(sync),
    /** As of the last `sync`. */
    list: (): readonly Capsule[] => [...capsules.values()],
    find: (id: string) => capsules.get(id),
    skills: (): readonly Pick<Skill, 'id' | 'name' | 'description'>[] => catalogue?.list() ?? [],
    kindFor,
    /** @throws AppError `SKILL_UNKNOWN`, `TEMPLATE_INVALID`. */
    prompt(
      capsule: Capsule,
      variables: PromptVariables,
    ): Pick<ComposedPrompt, 'systemPrompt' | 'skills'> {
      const where = join(capsule.dir, 'manifest.json');
      const skills = capsule.manifest.skills.flatMap((id) => catalogue?.get(id, where) ?? []);
      return composePrompt({ capsule, skills, variables });
    },
    /**
     * Chooses a capsule for a task. One that is named, in the options or as `@id` in the text, is taken without a search.
     *
     * @throws AppError `CAPSULE_UNKNOWN`, `NO_CAPSULE_FITS` if the named capsule needs a model and there is none.
     */
    async route(text: string, route: RouteOptions): Promise<Route> {
      const named = route.named ?? namedInText(text, capsules);
      if (named !== undefined) return routeToNamed(known(named), text, route.model);
      const all = [...capsules.values()];
      const measure = { embedder: embedder.name, ...thresholds };
      return routeBySearch(all, text, { ...route, tools, index, corrected, measure });
    },
    /** Stores a task that a capsule completed. Call it inside the transaction that ends the attempt. */
    noteCompleted(capsuleId: string, task: string): void {
      const capsule = capsules.get(capsuleId);
      if (capsule) learnt.addCompleted(capsule, task);
    },
    /**
     * Stores a person's correction: this task is for this capsule, not for that one. Used from the next `sync` on.
     *
     * @throws AppError `CAPSULE_UNKNOWN`.
     */
    correct(task: string, capsuleId: string, insteadOf?: string): void {
      const wrong = insteadOf === undefined ? undefined : capsules.get(insteadOf);
      learnt.correct({ task, capsule: known(capsuleId), insteadOf: wrong });
    },
    /** Removes everything learnt about a capsule. Call it inside a transaction. */
    forget: learnt.forget,
  };
}

/** Runs calls one after the other, so that an earlier call can't end after a later one. */
function inTurn<T>(work: () => Promise<T>): () => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return () => {
    const mine = last.then(work, work);
    last = mine;
    return mine;
  };
}

interface SearchOptions extends RouteOptions {
  readonly tools: ReadonlyMap<string, ToolText>;
  /** Undefined before the first `sync`. */
  readonly index: SearchIndex | undefined;
  /** Keys of the capsules that corrections point to. */
  readonly corrected: ReadonlySet<string>;
  readonly measure: RouteMeasure;
}

async function routeBySearch(
  capsules: readonly Capsule[],
  text: string,
  options: SearchOptions,
): Promise<Route> {
  const { index, corrected, measure, model } = options;
  const { able, correctable, ...receipt } = eligibleCapsules(capsules, text, options);
  const planned = able.find(({ id }) => id === options.planned);
  if (planned) return withAbilities(namedRoute(planned, kindFor(planned, model), 'plan'), receipt);
  const fitting = keepByFiles(able, text, model);
  const others = correctable.filter((one) => corrected.has(learntKey(one)));
  const ranked = index ? await search(index, text, { fitting, others }) : [];
  // Almost every capsule can write files, so that ability does not narrow the choice.
  const isNarrowed = receipt.leftOut.some(({ lacks }) => lacks.some((one) => one !== 'write'));
  return withAbilities(decideRoute(ranked, measure, { ...options, isNarrowed }), receipt);
}

/** Searches the capsules for the task's kinds of files, and others that a correction gave a similar task. */
async function search(
  index: SearchIndex,
  text: string,
  { fitting, others }: Readonly<Record<'fitting' | 'others', readonly Capsule[]>>,
) {
  const fits = new Set(fitting);
  const byFolder = new Map([...fitting, ...others].map((capsule) => [capsule.dir, capsule]));
  const begin = maskTask(text.slice(0, MAX_SEARCHED));
  const hits = await index.search(begin, [...byFolder.keys()]);
  return hits.flatMap((hit) => {
    const capsule = byFolder.get(hit.owner);
    const isWanted = capsule && (fits.has(capsule) || hit.correction >= OVER_FILES);
    return isWanted ? [{ capsule, hit }] : [];
  });
}

const foldersOf = ({ shipped, personal, project }: CapsuleRoots): readonly string[] =>
  project ? [shipped, personal, project.dir] : [shipped, personal];

/** Adds the required abilities and the capsules that lack them to a receipt, without those that a correction brought back. */
function withAbilities(
  route: Route,
  { needs, leftOut }: Pick<ReturnType<typeof eligibleCapsules>, 'needs' | 'leftOut'>,
): Route {
  if (needs.length === 0) return route;
  const kept = new Set(route.candidates.map(({ capsuleId }) => capsuleId));
  return { ...route, needs, leftOut: leftOut.filter(({ capsuleId }) => !kept.has(capsuleId)) };
}
const namedRoute = (
  { id }: Capsule,
  kind: TaskKind | undefined,
  decidedBy: Route['decidedBy'],
): Route => ({
  zone: 'named',
  capsuleId: id,
  taskKind: kind?.name,
  candidates: [],
  decidedBy,
});

function routeToNamed(capsule: Capsule, text: string, model: boolean): Route {
  const kind = kindFor(capsule, model);
  if (kind) return namedRoute(capsule, kind, 'name');
  const problem = `"${capsule.id}" works only with a language model, and this run has none.`;
  throw new AppError('NO_CAPSULE_FITS', { subtask: text, problem });
}
