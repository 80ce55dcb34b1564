import { type AgreedFile, agreedFile } from '../../broker/agreed/agreed-file.ts';
import { hashCapsuleFolder } from '../../registry/capsule-hash.ts';
import type { Capsule } from '../../registry/capsule-store.ts';

/**
 * The files of a capsule that a person approves: those that `agreedHashOf` covers. Undefined if they changed since the
 * capsule was read.
 */
export function agreedFilesOf(capsule: Capsule): readonly AgreedFile[] | undefined {
  const { origin, dir, overlay, hash } = capsule;
  const text = overlay?.text ?? '';
  if (origin === 'shipped') return overlay ? [agreedFile('skill.md', Buffer.from(text))] : [];
  const files: AgreedFile[] = [];
  try {
    const present = hashCapsuleFolder(dir, text, (path, content) => {
      files.push(agreedFile(path, content));
    });
    return present === hash ? files : undefined;
  } catch {
    return undefined;
  }
}
