import type { FormEvent } from 'react';
import { useLocation } from 'wouter';
import type { Proposal } from '../../../../contract/documents/capsule-documents.ts';
import { path, post } from '../../lib/server/api.ts';
import { useAction } from '../../lib/server/use-document.ts';
import { visible } from '../../lib/text/format.ts';
import { submitOnEnter } from '../../lib/use-keys.ts';
import { Card } from '../../parts/card.tsx';
import { Button } from '../../parts/input/button.tsx';
import { Refusal } from '../../parts/states.tsx';
import { Code } from '../../parts/text/code.tsx';
import { Grants } from '../capsule/grants.tsx';

/** Asks for a description, shows the proposed capsule, and creates it. */
export function CreateCapsule({ close }: { close: () => void }) {
  const [, go] = useLocation();
  const propose = useAction((body: object) => post<Proposal>('/capsules/propose', body));
  const proposal = propose.data;
  const create = useAction(
    () => post<{ id: string }>('/capsules', proposal),
    ['capsules'],
    ({ id }) => go(path`/capsules/${id}`),
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const id = String(form.get('id')).trim();
    propose.mutate({ description: String(form.get('description')), ...(id ? { id } : {}) });
  };
  const failure = propose.error ?? create.error;
  const button = <Button word="Close" look="quiet push" onClick={close} />;
  return (
    <Card title="New capsule" className="made" head={button}>
      <form className="body make" onSubmit={submit} onKeyDown={submitOnEnter}>
        <label className="field">
          What it does
          <textarea
            className="in"
            name="description"
            rows={2}
            required
            placeholder="Checks that every invoice in a folder has a number, a date and a total."
          />
        </label>
        <label className="field">
          Id (optional)
          <input
            className="in mono"
            name="id"
            pattern="[a-z0-9]+(-[a-z0-9]+)*"
            placeholder="invoice-checker"
          />
        </label>
        <button
          type="submit"
          className={proposal ? 'btn' : 'btn main'}
          disabled={propose.isPending}
        >
          {proposal ? 'Propose again' : 'Propose'}
        </button>
      </form>
      <Refusal error={failure} className="body" />
      {proposal && (
        <>
          <dl className="kv body">
            <dt>Id</dt>
            <dd className="mono">{proposal.manifest.id}</dd>
            <dt>Name</dt>
            <dd>{visible(proposal.manifest.name)}</dd>
            <dt>Does</dt>
            <dd>{visible(proposal.manifest.description)}</dd>
            {proposal.model_problem !== null && (
              <>
                <dt>Not by the model</dt>
                <dd>{visible(proposal.model_problem)} The words of the description were used.</dd>
              </>
            )}
            {proposal.overlaps.length > 0 && (
              <>
                <dt>Similar to</dt>
                <dd>{proposal.overlaps.map(({ capsule_id: id }) => id).join(', ')}</dd>
              </>
            )}
          </dl>
          <h3 className="part">Grants</h3>
          <Grants of={proposal.manifest} />
          <h3 className="part mono">manifest.json</h3>
          <Code text={JSON.stringify(proposal.manifest, null, 2)} look="request" />
          <h3 className="part mono">skill.md</h3>
          <Code text={proposal.overlay} look="request" />
          <div className="answers">
            <Button
              word="Create"
              look="main"
              disabled={create.isPending}
              onClick={() => create.mutate()}
            />
          </div>
        </>
      )}
    </Card>
  );
}
