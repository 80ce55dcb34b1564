import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { CapsulePage } from '../../../../contract/documents/capsule-documents.ts';
import { post } from '../../lib/api.ts';
import { download } from '../../lib/download.ts';
import { Button } from '../../parts/button.tsx';
import { Refusal } from '../../parts/states.tsx';
import { showFailure } from '../../shell/toast.tsx';

/** Buttons to quarantine, restore and export a capsule. */
export function CapsuleActions({ capsule }: { capsule: CapsulePage }) {
  const client = useQueryClient();
  const act = useMutation({
    mutationFn: (action: 'quarantine' | 'restore') => post(`/capsules/${capsule.id}/${action}`),
    onSuccess: () => client.invalidateQueries({ queryKey: ['capsules'] }),
  });
  const isQuarantined = capsule.quarantine !== null;
  return (
    <>
      <Button
        word={isQuarantined ? 'Restore' : 'Quarantine'}
        disabled={act.isPending}
        title={
          isQuarantined ? 'Runs can choose it again' : 'Runs cannot choose it until it is restored'
        }
        onClick={() => act.mutate(isQuarantined ? 'restore' : 'quarantine')}
      />
      <Button
        word="Export"
        onClick={() =>
          download(`/capsules/${capsule.id}/export`, `${capsule.id}.capsule.json`).catch(
            showFailure,
          )
        }
      />
      <Refusal error={act.error} />
    </>
  );
}
