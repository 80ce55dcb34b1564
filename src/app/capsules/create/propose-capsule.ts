import { join } from 'node:path';
import { installFolder } from '../../../config/files/install-folder.ts';
import type { CapstanEvent } from '../../../contract/event.ts';
import type { ToolGrant } from '../../../contract/permissions/grant.ts';
import { issueLine } from '../../../contract/text/issue-line.ts';
import { printable } from '../../../contract/text/printable.ts';
import { usage } from '../../../contract/usage.ts';
import { grantableIn } from '../../../coordinator/route/profile-for.ts';
import type { Capsule } from '../../../registry/capsule-store.ts';
import {
  type CapsuleProfile,
  draftCapsule,
  writeCapsule,
} from '../../../registry/create/capsule-factory.ts';
import { isReservedId } from '../../../registry/create/capsule-id.ts';
import { heuristicProfile } from '../../../registry/create/heuristic-profile.ts';
import { Manifest } from '../../../registry/manifest/manifest.ts';
import { findTwin } from '../../../registry/search/find-twin.ts';
import type { AppContext } from '../../context/open-context.ts';
import { keepSchemas } from '../../wiring/records/keep-schemas.ts';
import { openRegistry } from '../../wiring/registry/open-registry.ts';
import { recordNewCapsule } from '../capsule-records.ts';
import { assertFreeId, type CapsuleOptions, loadCapsules } from '../load-capsules.ts';
import { profileByModel } from './profile-by-model.ts';

export interface ProposeOptions extends CapsuleOptions {
  /** Default: made from the name. */
  readonly id?: string | undefined;
  /** Default: made from the description. */
  readonly name?: string | undefined;
  /** How it works, for the top of its overlay. */
  readonly role?: string | undefined;
  /** Ids of skills. Default: those that fit the description. */
  readonly skills?: readonly string[] | undefined;
  /** Names of tools. Default: those that fit the description. */
  readonly tools?: readonly string[] | undefined;
  /** Called with every event of the model's run, for a surface that answers its questions. */
  readonly onEvent?: ((event: CapstanEvent) => void) | undefined;
  /** Progress of embedding texts, or of a download, which `shown` describes. */
  readonly onProgress?: ((done: number, total: number, shown?: string) => void) | undefined;
}

/** A capsule that `create` would make. */
export interface CapsuleProposal {
  readonly manifest: Capsule['manifest'];
  /** The text of its `skill.md`. */
  readonly overlay: string;
  /** An existing capsule that does nearly the same. `score` from 0 to 1. */
  readonly twin: { readonly id: string; readonly score: number } | undefined;
  /** Why the words of the description were used instead of the model; undefined if it described it, or there is none. */
  readonly modelProblem: string | undefined;
}

export type CapsuleDraft = Pick<CapsuleProposal, 'manifest' | 'overlay'>;

/** Implements `capsules.propose`. */
export async function proposeCapsule(
  context: AppContext,
  description: string,
  options: ProposeOptions = {},
): Promise<CapsuleProposal> {
  const text = context.redactor.redact(description.trim());
  if (text === '') throw usage('Describe what the capsule does.', 'description');
  const { id = '', name = '', role = '', skills, tools } = options;
  const given = context.redactor.redact({ id, name, role, skills, tools });
  const loaded = await loadCapsules(context, options);
  if (given.id !== '') assertFreeId(loaded, given.id);
  const stores = await context.stores();
  const { onEvent, onProgress } = options;
  await using opened = await openRegistry({ ...loaded.loaded, onProgress }, stores);
  const { registry } = opened;
  await registry.sync();
  const grantable = grantableIn(loaded.loaded.settings);
  const knownSkills = registry.skills().map((skill) => skill.id);
  assertKnown(given.tools, Object.keys(grantable), 'tools');
  assertKnown(given.skills, knownSkills, 'skills');
  const { profile, problem } = await profileByModel(loaded, text, onEvent);
  const described = profile ?? heuristicProfile(text, { skills: registry.skills(), grantable });
  const chosen = withGiven(described, given, grantable);
  const { manifest, overlay } = await draftCapsule({
    profile: chosen,
    templateDir: templateDir(),
    targetDir: loaded.personal,
    taken: new Set(loaded.capsules.map((capsule) => capsule.id)),
    grantable,
    skills: new Set(knownSkills),
    redactor: stores.redactor,
  });
  const exclude = [...stores.quarantine.idsAmong(registry.list())];
  const twin = await findTwin(registry, chosen, { exclude });
  return {
    manifest,
    overlay,
    twin: twin && { id: twin.capsuleId, score: twin.score },
    modelProblem: problem && printable(problem),
  };
}

const templateDir = (): string => join(installFolder(), 'capsule-template');

type Given = Required<Pick<ProposeOptions, 'id' | 'name' | 'role'>> &
  Pick<ProposeOptions, 'skills' | 'tools'>;

/** Values from the user override the described ones. */
const withGiven = (
  profile: CapsuleProfile,
  given: Given,
  grantable: Readonly<Record<string, ToolGrant>>,
): CapsuleProfile => ({
  ...profile,
  id: given.id || profile.id,
  name: given.name || profile.name,
  role: given.role || profile.role,
  skills: given.skills ?? profile.skills,
  grants: given.tools
    ? Object.fromEntries(given.tools.map((tool) => [tool, grantable[tool] ?? {}]))
    : profile.grants,
});

function assertKnown(
  names: readonly string[] = [],
  known: readonly string[],
  field: 'tools' | 'skills',
): void {
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const what = field.slice(0, -1);
  throw usage(`There is no ${what} "${printable(unknown)}". Known: ${known.join(', ')}.`, field);
}

/** Implements `capsules.create`. */
export async function createCapsule(
  context: AppContext,
  draft: CapsuleDraft,
  options: CapsuleOptions = {},
) {
  const { manifest, overlay } = validated(context, draft);
  const loaded = await loadCapsules(context, { ...options, onNotice: undefined });
  const { personal, actor } = loaded;
  const { id } = manifest;
  const holder = loaded.capsules.find((one) => one.id === id && one.origin !== 'personal');
  if (holder || isReservedId(id)) throw usage(`The id "${id}" is taken.`, 'id');
  const stores = await context.stores();
  const dir = join(personal, id);
  const capsule = await writeCapsule({ manifest, overlay, templateDir: templateDir(), dir });
  keepSchemas(context.places);
  recordNewCapsule(stores, capsule, { by: actor, action: 'capsule.created' });
  return capsule;
}

function validated({ redactor }: AppContext, draft: CapsuleDraft): CapsuleDraft {
  const { manifest, overlay } = redactor.redact(draft);
  const parsed = Manifest.safeParse(manifest);
  if (parsed.success) return { manifest: parsed.data, overlay };
  throw usage(printable(issueLine(parsed.error)), 'manifest');
}
