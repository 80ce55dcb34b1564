import { useState } from 'react';
import { Link } from 'wouter';
import type { MemoryItem } from '../../../../contract/documents/capsule-documents.ts';
import { path, request } from '../../lib/server/api.ts';
import { useAction, useDocument } from '../../lib/server/use-document.ts';
import { folderName, plural, shortId, visible } from '../../lib/text/format.ts';
import { Card } from '../../parts/card.tsx';
import { Rows } from '../../parts/figures/rows.tsx';
import { Button } from '../../parts/input/button.tsx';
import { Ago } from '../../parts/time.tsx';

const SHOWN = 8;

/** Lists what a capsule remembers and its source, to edit or forget it. */
export function Memory({ id }: { id: string }) {
  const [isAll, setAll] = useState(false);
  const { data } = useDocument<{ items: readonly MemoryItem[] }>(
    ['capsules', id, 'memory'],
    path`/capsules/${id}/memory`,
  );
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
      <Rows of={items.slice(0, isAll ? undefined : SHOWN)} empty="No memories yet.">
        {(item) => <Item key={item.id} capsule={id} item={item} />}
      </Rows>
    </Card>
  );
}

function Item({ capsule, item }: { capsule: string; item: MemoryItem }) {
  const [draft, setDraft] = useState<string>();
  const act = useAction(
    (body: { text: string } | undefined) =>
      request(path`/capsules/${capsule}/memory/${item.id}`, {
        method: body ? 'PUT' : 'DELETE',
        body,
      }),
    ['capsules', capsule, 'memory'],
    () => setDraft(undefined),
  );
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
            <Button word="Edit" look="quiet" onClick={() => setDraft(item.text)} />
            <Button word="Forget" look="quiet" onClick={() => act.mutate(undefined)} />
          </>
        ) : (
          <>
            <Button word="Save" onClick={() => act.mutate({ text: draft })} />
            <Button word="Discard" look="quiet" onClick={() => setDraft(undefined)} />
          </>
        )}
      </span>
    </li>
  );
}
