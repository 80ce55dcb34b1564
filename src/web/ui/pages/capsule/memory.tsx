import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { get, request } from '../../lib/api.ts';
import type { MemoryItem } from '../../lib/capsule-documents.ts';
import { folderName, plural, shortId } from '../../lib/format.ts';
import { visible } from '../../lib/visible.ts';
import { Card } from '../../parts/card.tsx';
import { Ago } from '../../parts/time.tsx';

const SHOWN = 8;

/** Lists what a capsule remembers and its source, to edit or forget it. */
export function Memory({ id }: { id: string }) {
  const [isAll, setAll] = useState(false);
  const { data } = useQuery({
    queryKey: ['capsules', id, 'memory'],
    queryFn: () => get<{ items: readonly MemoryItem[] }>(`/capsules/${id}/memory`),
  });
  const items = data?.items ?? [];
  const head = (
    <>
      <span className="xs faint">{plural(items.length, 'item')}</span>
      {items.length > SHOWN && (
        <button type="button" className="link sm push" onClick={() => setAll(!isAll)}>
          {isAll ? 'Show less' : 'Show all'}
        </button>
      )}
    </>
  );
  return (
    <Card id="memory" title="Memory" head={head}>
      {items.length === 0 && <p className="body sm dim">No memories yet.</p>}
      <ul className="rows">
        {items.slice(0, isAll ? undefined : SHOWN).map((item) => (
          <Item key={item.id} capsule={id} item={item} />
        ))}
      </ul>
    </Card>
  );
}

function Item({ capsule, item }: { capsule: string; item: MemoryItem }) {
  const client = useQueryClient();
  const [draft, setDraft] = useState<string>();
  const act = useMutation({
    mutationFn: (change: { text: string } | undefined) =>
      request(change ? 'PUT' : 'DELETE', `/capsules/${capsule}/memory/${item.id}`, change),
    onSuccess: () => {
      setDraft(undefined);
      void client.invalidateQueries({ queryKey: ['capsules', capsule, 'memory'] });
    },
  });
  return (
    <li className="row mem">
      {draft === undefined ? (
        <span>{visible(item.text)}</span>
      ) : (
        <textarea
          className="in"
          aria-label="Changed text"
          value={draft}
          onChange={(event) => setDraft(event.target.value)}
        />
      )}
      <span className={`xs ${item.is_untrusted ? 'wait' : 'faint'}`}>
        {item.run_id && (
          <>
            from{' '}
            <Link className="link" href={`/runs/${item.run_id}`}>
              {shortId(item.run_id)}
            </Link>{' '}
            ·{' '}
          </>
        )}
        <Ago at={item.at} /> ·{' '}
        {item.workspace === null ? 'all folders' : folderName(item.workspace)}
        {item.is_untrusted && ' · written after reading untrusted content'}
        {act.error && <span className="bad"> · {act.error.message}</span>}
      </span>
      <span className="actions">
        {draft === undefined ? (
          <>
            <button type="button" className="btn quiet" onClick={() => setDraft(item.text)}>
              Edit
            </button>
            <button type="button" className="btn quiet" onClick={() => act.mutate(undefined)}>
              Forget
            </button>
          </>
        ) : (
          <>
            <button type="button" className="btn" onClick={() => act.mutate({ text: draft })}>
              Save
            </button>
            <button type="button" className="btn quiet" onClick={() => setDraft(undefined)}>
              Discard
            </button>
          </>
        )}
      </span>
    </li>
  );
}
