import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import type { ArchiveContent } from '../../../../contract/documents/capsule-documents.ts';
import { path, post } from '../../lib/server/api.ts';
import { useAction } from '../../lib/server/use-document.ts';
import { plural, visible } from '../../lib/text/format.ts';
import { Card } from '../../parts/card.tsx';
import { Button } from '../../parts/input/button.tsx';
import { Refusal } from '../../parts/states.tsx';

/** Reads a capsule from an archive or a folder on this machine, shows its content, and imports it. */
export function ImportCapsule({ close }: { close: () => void }) {
  const [, go] = useLocation();
  const [found, setFound] = useState<{ path: string; archive: ArchiveContent }>();
  const read = useAction(
    (path: string) => post<ArchiveContent>('/capsules/read', { path }),
    undefined,
    (archive, path) => setFound({ path, archive }),
  );
  const add = useAction(
    () =>
      post<{ id: string }>('/capsules/import', { path: found?.path, hash: found?.archive.hash }),
    ['capsules'],
    ({ id }) => go(path`/capsules/${id}`),
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    read.mutate(String(new FormData(event.currentTarget).get('path')).trim());
  };
  const failure = read.error ?? add.error;
  const button = <Button word="Close" look="quiet push" onClick={close} />;
  return (
    <Card title="Import a capsule" className="made" head={button}>
      <form className="body make" onSubmit={submit}>
        <label className="field grow">
          Archive or folder on this machine
          <input
            className="in mono"
            name="path"
            required
            placeholder="/home/me/invoice-checker.capsule.json"
          />
        </label>
        <Button word="Preview" type="submit" disabled={read.isPending} />
      </form>
      <Refusal error={failure} className="body" />
      {found && (
        <>
          <p className="body sm">
            <strong>{visible(found.archive.name)}</strong>{' '}
            <span className="tag">{found.archive.id}</span> {visible(found.archive.description)} ·{' '}
            {plural(found.archive.files.length, 'file')}. It starts as supervised.
          </p>
          <div className="answers">
            <Button
              word="Import"
              look="main"
              disabled={add.isPending}
              onClick={() => add.mutate()}
            />
          </div>
        </>
      )}
    </Card>
  );
}
