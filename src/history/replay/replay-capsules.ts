import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError, messageOf } from '../../contract/errors.ts';
import { type Capsule, readCapsule } from '../../registry/capsule-store.ts';
import { hashCapsuleFolder } from '../../registry/files/capsule-hash.ts';
import { shimText } from '../../registry/manifest/entrypoint-shim.ts';
import type { RecordedCapsule, Recording } from '../recording/recording.ts';

/** The capsule that a replay starts for a recorded one. */
export interface ReplayCapsule {
  readonly capsule: Capsule;
  /** `changed`: its files differ from those of the run; `rebuilt`: it is not installed, so it was rebuilt from the recording. */
  readonly state: 'same' | 'changed' | 'rebuilt';
  readonly recordedHash: string;
  readonly hash: string;
}

/**
 * Finds the capsules of a recording among the installed ones. One that is not installed and uses only the SDK is rebuilt
 * from its recorded manifest and overlay.
 *
 * @param dir The folder for rebuilt capsules.
 * @throws AppError `RUN_NOT_REPLAYABLE` naming a capsule that is not installed and can't be rebuilt.
 */
export function findReplayCapsules(
  recording: Recording,
  installed: ReadonlyMap<string, Capsule>,
  dir: string,
): readonly ReplayCapsule[] {
  return recording.capsules.map((recorded) => {
    const capsule = installed.get(recorded.id);
    return capsule ? compared(recorded, capsule) : rebuilt(recorded, { recording, dir });
  });
}

/** A different overlay does not matter: the recorded request contains the recorded one. */
function compared(
  { hash: recordedHash, overlay }: RecordedCapsule,
  capsule: Capsule,
): ReplayCapsule {
  const isSame =
    capsule.hash === recordedHash || hashCapsuleFolder(capsule.dir, overlay ?? '') === recordedHash;
  const hash = isSame ? recordedHash : capsule.hash;
  return { capsule, recordedHash, hash, state: isSame ? 'same' : 'changed' };
}

function rebuilt(
  { id, hash: recordedHash, origin, program, manifest, overlay }: RecordedCapsule,
  { recording, dir }: { readonly recording: Recording; readonly dir: string },
): ReplayCapsule {
  const fail = (why: string) => {
    const problem = `its capsule "${id}" is not installed, and ${why}`;
    return new AppError('RUN_NOT_REPLAYABLE', { id: recording.run.id, problem });
  };
  if (origin === null) throw fail('it no longer existed when the recording was made');
  if (program !== 'shim') throw fail('it has its own program, which is not in the recording');
  if (manifest === null) throw fail('it ships with another version of Capstan');
  const folder = join(dir, id);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const write = (name: string, text: string) =>
      writeFileSync(join(folder, name), text, { mode: 0o600 });
    write('manifest.json', manifest);
    write('entrypoint.cjs', shimText(false));
    if (overlay !== null) write('skill.md', overlay);
    const capsule = readCapsule(folder, 'personal');
    assertShim(capsule);
    return { capsule, recordedHash, hash: capsule.hash, state: 'rebuilt' };
  } catch (error) {
    throw fail(`it can't be made from the recording: ${messageOf(error)}`);
  }
}

/** A manifest from a recording may name any program: only Capstan's shim is started. */
function assertShim({ manifest: { entrypoint } }: Capsule): void {
  if (entrypoint.join('\0') === 'node\0entrypoint.cjs') return;
  throw new Error(`its entrypoint is ${JSON.stringify(entrypoint)}`);
}
