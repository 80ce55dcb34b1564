import type { CapsulePage } from '../../../../contract/documents/capsule-documents.ts';
import { path, post } from '../../lib/server/api.ts';
import { download } from '../../lib/server/download.ts';
import { useAction } from '../../lib/server/use-document.ts';
import { Button } from '../../parts/input/button.tsx';
import { Refusal } from '../../parts/states.tsx';
import { showFailure } from '../../shell/toast.tsx';

/** Buttons to quarantine, restore and export a capsule. */
export function CapsuleActions({ capsule }: { capsule: CapsulePage }) {
  const isQuarantined = capsule.quarantine !== null;
  const action = isQuarantined ? 'restore' : 'quarantine';
  const act = useAction(() => post(path`/capsules/${capsule.id}/${action}`), ['capsules']);
  return (
    <>
      <Button
        word={isQuarantined ? 'Restore' : 'Quarantine'}
        disabled={act.isPending}
        title={
          isQuarantined ? 'Runs can choose it again' : 'Runs cannot choose it until it is restored'
        }
        onClick={() => act.mutate()}
      />
      <Button
        word="Export"
        onClick={() =>
          download(path`/capsules/${capsule.id}/export`, `${capsule.id}.capsule.json`).catch(
            showFailure,
          )
        }
      />
      <Refusal error={act.error} />
    </>
  );
}
