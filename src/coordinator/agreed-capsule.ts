import { dirname } from 'node:path';
import { type AgreedFile, agreedFile } from '../broker/agreed/agreed-files.ts';
import { canonicalHash } from '../platform/text/canonical-hash.ts';
import { tryOr } from '../platform/try-or.ts';
import type { Capsule } from '../registry/capsule-store.ts';
import { hashCapsuleFolder } from '../registry/files/capsule-hash.ts';

/**
 * The SHA-256 of the files of a capsule that a person approves: all of them. Shipped files need no approval, so for
 * a shipped capsule it is the hash of the user's overlay alone.
 */
export const agreedHashOf = (capsule: Capsule): string =>
  capsule.origin === 'shipped'
    ? canonicalHash(isAsShipped(capsule) ? null : capsule.overlay)
    : capsule.hash;

/** Whether a shipped capsule is unchanged: an update of Capstan needs no approval, the user's own overlay does. */
export const isAsShipped = ({ origin, dir, overlay }: Capsule): boolean =>
  origin === 'shipped' && (overlay === undefined || dirname(overlay.path) === dir);

/**
 * The files of a capsule that a person approves: those that `agreedHashOf` covers. Undefined if they changed since the
 * capsule was read.
 */
export function agreedFilesOf(capsule: Capsule): readonly AgreedFile[] | undefined {
  const { origin, dir, overlay, hash } = capsule;
  const text = overlay?.text ?? '';
  if (isAsShipped(capsule)) return [];
  if (origin === 'shipped') return [agreedFile('skill.md', Buffer.from(text))];
  const files: AgreedFile[] = [];
  const note = (path: string, content: Buffer) => void files.push(agreedFile(path, content));
  const present = tryOr(() => hashCapsuleFolder(dir, text, note), undefined);
  return present === hash ? files : undefined;
}
