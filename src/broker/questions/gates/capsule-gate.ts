import type { IntentRecord } from '../../../contract/intent.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { printable } from '../../../contract/text/printable.ts';
import type { AgreedCapsules } from '../../agreed/agreed-capsules.ts';
import type { AgreedFile } from '../../agreed/agreed-files.ts';
import { describeChanges, fileChanges } from '../../agreed/file-changes.ts';
import type { AttemptScope } from '../../intent/scope.ts';
import { agree } from '../agree.ts';
import { draftQuestion, type QuestionContext, type QuestionParts } from '../question.ts';
import type { TrustStore } from '../trust-store.ts';
import {
  askAboutOwn,
  endOwn,
  endRefused,
  endUnanswered,
  isUnsettled,
  ownIntent,
} from './own-intent.ts';

/** A capsule that is about to run. */
export interface CapsuleVersion {
  readonly id: string;
  readonly dir: string;
  /** The folder or file that may have changed, for people. */
  readonly place: string;
  readonly hash: string;
  /** `as_shipped` needs no approval; `shipped` has an overlay of the user. */
  readonly kind: 'as_shipped' | 'shipped' | 'personal' | 'project';
  /** Why its earlier files were quarantined. Undefined if they were not. */
  readonly wasQuarantinedFor: string | undefined;
  /** From its manifest, for the question. */
  readonly grants: unknown;
  /** Reads the files that have this hash; undefined if they changed again. */
  files(): readonly AgreedFile[] | undefined;
}

export interface CapsuleGateParts extends QuestionParts {
  readonly agreed: AgreedCapsules;
  readonly trust: TrustStore;
}

export type CapsuleGate = ReturnType<typeof createCapsuleGate>;

/**
 * Whether a capsule may run. If its files changed since a person approved them, or since it was shipped, the person is
 * asked once, and it restarts as supervised.
 *
 * @throws AppError `CANCELLED` if the run stopped while the question waited.
 */
export const createCapsuleGate =
  (parts: CapsuleGateParts) =>
  async (asking: AttemptScope, capsule: CapsuleVersion): Promise<boolean> => {
    const { id, dir, hash } = capsule;
    const known = parts.agreed.hashOf(id, dir, hash);
    const isAgreed = isAgreedUnasked(capsule, known, parts);
    settle(asking, capsule, { isAgreed, from: known ?? null }, parts);
    if (isAgreed) return true;
    const scope = { ...asking, capsuleHash: hash };
    return ask(capsule, known ?? null, { scope, parts });
  };

/** Whether the files need no question. Records the approval of a capsule that is new. */
function isAgreedUnasked(
  { id, dir, hash, kind, files }: CapsuleVersion,
  known: string | undefined,
  parts: CapsuleGateParts,
): boolean {
  const { agreed, journal } = parts;
  if (known === undefined && kind === 'as_shipped') return true;
  // Approved in another folder: without a row of this one, its next change would not be asked about.
  const isMoved = known === hash && agreed.hashOf(id, dir) === undefined;
  if (known === hash && !isMoved) return true;
  const isNew = known === undefined && kind !== 'shipped';
  if (!isNew && !isMoved) return false;
  journal.note(() => agree(parts, { capsuleId: id, dir, hash, by: 'first_seen', files: files() }));
  return true;
}

async function ask(
  capsule: CapsuleVersion,
  known: string | null,
  context: QuestionContext & { readonly parts: CapsuleGateParts },
): Promise<boolean> {
  const { scope, parts } = context;
  const { intent } = ownIntent(scope, parts.now, {
    name: RUN,
    target: capsule.id,
    tier: 2,
    request: { capsule: capsule.id, dir: capsule.dir, from: known, to: capsule.hash },
  });
  const subject = { kind: 'changed_capsule', details: describe(capsule, parts) } as const;
  const drafted = draftQuestion(questionAbout(capsule), subject, intent, context);
  const answered = await askAboutOwn(drafted, intent, context);
  // They may have changed again since the answer.
  if (answered?.answer !== 'approve' || capsule.files() === undefined) {
    const sentence = 'Its files changed, and nobody approved them as they are now.';
    endRefused(intent, { ...ABOUT, reason: 'denied', sentence }, parts);
    return false;
  }
  endApproved(intent, parts);
  return true;
}

const RUN = 'capsule.run';
const ABOUT = { step: 2, rule: 'capsule_changed' } as const;

/** Ends the questions of an earlier process of this run: about files that are approved now, or another change than this one. */
function settle(
  { record }: AttemptScope,
  capsule: CapsuleVersion,
  present: { readonly isAgreed: boolean; readonly from: string | null },
  parts: CapsuleGateParts,
): void {
  const isOpen = (one: IntentRecord) =>
    one.name === RUN && one.target === capsule.id && isUnsettled(one);
  for (const open of record?.left().filter(isOpen) ?? []) {
    const { from, to } = open.request as { readonly from?: string | null; readonly to?: string };
    const isOfThese = to === capsule.hash;
    if (isOfThese && from === present.from && !present.isAgreed) continue;
    record?.take(undefined, open.requestHash);
    if (isOfThese && present.isAgreed) endApproved(open, parts);
    else endUnanswered(open, ABOUT, parts);
  }
}

/** The transaction of the answer stored the approval: `../agree.ts`. */
const endApproved = (intent: IntentRecord, parts: CapsuleGateParts) =>
  endOwn(intent, { to: 'done', ...ABOUT, outcome: { ok: true } }, parts, () => {
    const question = parts.approvals.of(intent.runId).find((one) => one.intentId === intent.id);
    if (question) parts.approvals.consume(question.id);
    parts.approvals.withdraw(intent.id);
  });

const questionAbout = ({ id, place, kind, wasQuarantinedFor: reason }: CapsuleVersion) => ({
  question: `Allow ${id} to run with its changed files?`,
  sentence: `${kind === 'as_shipped' ? `Your skill.md for ${id} was removed` : `${printable(place)} changed`} since it was last allowed to run.${reason === undefined ? '' : ` Its earlier files were quarantined: ${printable(reason)}.`} The capsule restarts without trust.`,
  forced: true,
});

const describe = (capsule: CapsuleVersion, { agreed }: CapsuleGateParts): string =>
  [
    `changed: ${escapeText(capsule.place)}`,
    '',
    differenceOf(capsule, agreed),
    'granted by its manifest:',
    escapeText(JSON.stringify(capsule.grants, undefined, 2), true),
  ].join('\n');

function differenceOf(capsule: CapsuleVersion, agreed: AgreedCapsules): string {
  const files = capsule.files();
  if (files === undefined) return 'The files changed again: deny this, and check the folder.\n';
  const { id, dir, hash, kind } = capsule;
  const isNew = kind === 'shipped' && agreed.hashOf(id, dir, hash) === undefined;
  return describeChanges(fileChanges(isNew ? [] : agreed.filesOf(id, dir), files));
}
