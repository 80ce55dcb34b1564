import { useMutation, useQueryClient } from '@tanstack/react-query';
import { post } from '../../lib/api.ts';
import type { CapsulePage } from '../../lib/capsule-documents.ts';
import { download } from '../../lib/download.ts';
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
    <div className="actions">
      <button
        type="button"
        className="btn"
        disabled={act.isPending}
        title={
          isQuarantined ? 'Runs can choose it again' : 'Runs cannot choose it until it is restored'
        }
        onClick={() => act.mutate(isQuarantined ? 'restore' : 'quarantine')}
      >
        {isQuarantined ? 'Restore' : 'Quarantine'}
      </button>
      <button
        type="button"
        className="btn"
        onClick={() =>
          download(`/capsules/${capsule.id}/export`, `${capsule.id}.capsule.json`).catch(
            showFailure,
          )
        }
      >
        Export
      </button>
      {act.error && <p className="sm bad">{act.error.message}</p>}
    </div>
  );
}
