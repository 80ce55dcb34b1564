import { basename } from 'node:path/posix';
import type { IntentRecord } from '../../contract/intent.ts';
import type { ToolCallResult, WireError } from '../../contract/wire/coordinator-messages.ts';
import { mergeRenames } from '../../platform/files/merge-renames.ts';
import { ABSENT, isHash } from '../../tools/files/path-state.ts';
import { namedPlaces } from '../../tools/private-places/named-places.ts';
import type { AttemptScope, Discarded } from './scope.ts';

/** The effect of a call on one file, as far as it is known in advance: the items of `IntentRecord.effects`. */
export interface FileEffect {
  /** Absolute, symbolic links resolved. */
  readonly path: string;
  /** SHA-256 of the content before the call, `absent`, or the size and times of a file that is too large to be hashed. */
  readonly before: string;
  /** SHA-256 of the content after the call; null if it can't be known. */
  readonly after: string | null;
  /** Unified; null if one side is not text, or too long. */
  readonly diff: string | null;
  /** The changes of a database, as text. Default: unknown. */
  readonly changes?: readonly string[];
  /** Not a known effect: a command names the file, and an approval holds for this content only. Default: false. */
  readonly isNamed?: boolean;
}

/** The known effects of a call on files. */
export const fileEffectsOf = ({ effects }: Pick<IntentRecord, 'effects'>): readonly FileEffect[] =>
  ((effects ?? []) as readonly FileEffect[]).filter(({ isNamed }) => isNamed !== true);

/** The fields that every event about an intent begins with. */
export const aboutIntent = ({ id, runId, subtaskId, capsuleId }: IntentRecord) => ({
  run_id: runId,
  subtask_id: subtaskId,
  capsule_id: capsuleId,
  intent_id: id,
});

type Nature = Pick<IntentRecord, 'tier' | 'repeatability'>;

/** Whether performing it changes something. */
export const isEffect = ({ tier, repeatability }: Nature): boolean =>
  tier > 0 && repeatability !== 'pure';

/** Whether only a person can decide what to do if its outcome is unknown. */
export const mustNotRepeat = ({ tier, repeatability }: Nature): boolean =>
  tier > 0 && repeatability === 'unsafe';

/**
 * Whether an intent may have had an effect that can't be undone. A failed one counts if it had started and must not be
 * repeated: a request whose reply was lost may have arrived, an interrupted command had started. An intent that certainly
 * changed nothing has no start time.
 */
export function hadEffect(intent: IntentRecord): boolean {
  const { status, startedAt } = intent;
  if (!isEffect(intent)) return false;
  if (status === 'failed') return startedAt !== null && mustNotRepeat(intent);
  return status === 'done' || status === 'started' || status === 'unknown';
}

/** The same intent without a reservation of money or tokens. */
export const unreserved = (intent: IntentRecord): IntentRecord => ({
  ...intent,
  reservedMicroUsd: 0,
  reservedTokens: 0,
});

/** The part of a call's cost and tokens that no vendor reported. */
export interface Estimate {
  readonly micro_usd: number;
  /** Of tries without an answer: their maximum, counted as output. */
  readonly tokens: number;
  /** Of answers without a usable report: input and output. Default: 0. */
  readonly counted_tokens?: number;
}

/** The reservation of a model call as an estimate of its cost; undefined if nothing was reserved. */
export const estimateOf = ({
  kind,
  reservedMicroUsd: micro_usd,
  reservedTokens: tokens,
}: IntentRecord): Estimate | undefined =>
  kind === 'chat' && (micro_usd > 0 || tokens > 0) ? { micro_usd, tokens } : undefined;

/** Sums of the estimates in rows of `intents`, as SQL expressions. They count for budgets and are reported separately. */
export const ESTIMATED_MICRO_USD =
  "coalesce(sum(json_extract(iif(kind = 'chat', outcome, NULL), '$.estimated.micro_usd')), 0)";
export const ESTIMATED_TOKENS =
  "coalesce(sum(json_extract(iif(kind = 'chat', outcome, NULL), '$.estimated.tokens')), 0)";

/** The part of the tokens of answers that was counted from their texts. */
export const COUNTED_TOKENS =
  "coalesce(sum(json_extract(iif(kind = 'chat', outcome, NULL), '$.estimated.counted_tokens')), 0)";

/** The same intent with its reservation counted as spent: the call may have been paid for. */
export const reservationSpent = (intent: IntentRecord): IntentRecord => ({
  ...intent,
  costMicroUsd: intent.costMicroUsd + intent.reservedMicroUsd,
  outputTokens: intent.outputTokens + intent.reservedTokens,
  reservedMicroUsd: 0,
  reservedTokens: 0,
});

type Ended = Pick<IntentRecord, 'kind' | 'tier' | 'request' | 'outcome'>;

/**
 * Remembers that a change by a command was discarded, until later calls replace it: calls that change a file under
 * the same name, or, if the command itself used the file, a command that does the same without it. A change to
 * the home, or to a private folder that the task names, can't be replaced.
 */
export function noteDiscarded(intent: Ended, { tally, run }: AttemptScope): void {
  const { error } = (intent.outcome ?? {}) as Partial<ToolCallResult>;
  if (error?.code === 'HOME_DISCARDED')
    tally.discarded = [{ error, names: [], words: [] }, ...tally.discarded];
  else if (error?.code === 'WRITES_DISCARDED')
    tally.discarded = [...tally.discarded, discardedBy(intent, error)];
  else if (tally.discarded.length > 0 && !namesPrivatePlace(run.task, run))
    tally.discarded = tally.discarded.flatMap((one) => withoutReplaced(one, intent, run));
}

function discardedBy({ request }: Ended, error: WireError): Discarded {
  const [, list = ''] = / changed (.+?), and that was discarded/.exec(error.message) ?? [];
  const paths = list.split(', ');
  const files = paths.filter((path) => !paths.some((other) => other.startsWith(`${path}/`)));
  const names = files.map((path) => basename(path));
  const words = wordsOf(request);
  const isUsed = names.every((name) => words.indexOf(name) !== words.lastIndexOf(name));
  const ownWords = new Set(paths.flatMap((path) => path.split('/')));
  return { error, names, words: isUsed ? words.filter((word) => !ownWords.has(word)) : [] };
}

function withoutReplaced(
  one: Discarded,
  { kind, tier, request, outcome }: Ended,
  run: AttemptScope['run'],
): readonly Discarded[] {
  const { ok, result } = (outcome ?? {}) as Partial<ToolCallResult>;
  const { exit_code: exitCode = 0 } = (result ?? {}) as { readonly exit_code?: unknown };
  if (kind === 'chat' || !ok || exitCode !== 0 || one.names.length === 0) return [one];
  if (namesPrivatePlace(textOf(request), run)) return [one];
  const words = new Set(wordsOf(request));
  if (one.words.length > 0 && one.words.every((word) => words.has(word))) return [];
  const names = one.names.filter((name) => tier === 0 || !words.has(name));
  return names.length === 0 ? [] : [{ ...one, names }];
}

/** The command or the code of a call, or the paths that it is about. */
function textOf(request: unknown): string {
  const { args } = (request ?? {}) as { readonly args?: Readonly<Record<string, unknown>> };
  const { command, argv, code, path, to, save_as } = args ?? {};
  return [command, argv, code, path, to, save_as]
    .flat()
    .filter((text) => typeof text === 'string')
    .join(' ');
}

/** Programs, files and other names in a call, without options. */
const wordsOf = (request: unknown): readonly string[] =>
  textOf(request)
    .split(/[^\p{L}\p{N}_.+@~-]+/u)
    .filter((word) => word !== '' && !word.startsWith('-'));

const namesPrivatePlace = (text: string, { workspace }: AttemptScope['run']): boolean =>
  namedPlaces(text, { level: 'A', workspace }).length > 0;

/** A file of the workspace that a command runs. */
export interface Script {
  /** Relative to the workspace. */
  readonly name: string;
  /** Undefined if it is not shown. */
  readonly text?: string | undefined;
  /** Why it is not shown. */
  readonly problem?: string;
}

export const isShown = ({ text }: Script): boolean => text !== undefined;

/** `1 file that is not shown: build (70 KB)`; undefined if all are shown. */
export function hiddenScripts(
  scripts: readonly Script[],
  nameOf = (name: string) => name,
): string | undefined {
  const hidden = scripts.filter((one) => !isShown(one));
  if (hidden.length === 0) return undefined;
  const more = hidden.length < scripts.length ? ' more' : '';
  const files = hidden.length === 1 ? 'file that is' : 'files that are';
  const names = hidden.map(
    ({ name, problem }) => nameOf(name) + (problem === undefined ? '' : ` (${problem})`),
  );
  return `${hidden.length}${more} ${files} not shown: ${names.join(', ')}`;
}

/** Effects with renames as one, which has the earlier path as `from`. */
export const withRenames = (effects: readonly FileEffect[]) =>
  mergeRenames<FileEffect, FileEffect & { readonly from?: string }>(effects, {
    gone: ({ before, after }) => (after === ABSENT && isHash(before) ? before : null),
    made: ({ before, after }) => (before === ABSENT && after !== ABSENT ? after : null),
    merge: (from, to) => ({ ...to, from: from.path, diff: null }),
  });

/**
 * A file whose current or planned content differs from `shown`; undefined if there is none. Of a database, the changes are
 * compared: each trial of its statements may have another time or random number in it.
 */
export function changedFile(
  shown: readonly FileEffect[] = [],
  files: readonly FileEffect[] = [],
): string | undefined {
  const isOther = ({ path, before, after, changes }: FileEffect) => {
    const one = shown.find((file) => file.path === path);
    if (one?.before !== before || `${one.changes}` !== `${changes}`) return true;
    return changes === undefined && one.after !== after;
  };
  const isGone = ({ path }: FileEffect) => !files.some((file) => file.path === path);
  return (files.find(isOther) ?? shown.find(isGone))?.path;
}
