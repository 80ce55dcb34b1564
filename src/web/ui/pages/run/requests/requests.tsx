import { useState } from 'react';
import type { RequestRow, RunPage } from '../../../../../contract/documents/run-documents.ts';
import { duration, modelName, money, OFFLINE, visible } from '../../../lib/text/format.ts';
import { useKeys } from '../../../lib/use-keys.ts';
import { Card } from '../../../parts/card.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { Button } from '../../../parts/input/button.tsx';
import { Seg } from '../../../parts/input/seg.tsx';
import { Mark } from '../../../parts/status.tsx';
import { answeredWhere } from '../../../question/answer-words.ts';
import { RequestBody, tookOf } from './request-body.tsx';

/** Number of requests that are drawn at first, and added by each click. A row has about twenty elements. */
const PAGE = 60;

/** Lists every request with its decision, newest first. An opened one is shown in full. */
export function Requests({ page: { run, requests } }: { page: RunPage }) {
  const [shown, setShown] = useState<'all' | 'model' | 'tools'>('all');
  const [open, setOpen] = useState<readonly string[]>(() => fromAddress());
  const models = requests.filter(({ kind }) => kind === 'chat');
  const tools = requests.filter(({ kind }) => kind !== 'chat');
  const rows = { all: requests, model: models, tools }[shown].toReversed();
  const toggle = (id: string) =>
    setOpen(open.includes(id) ? open.filter((one) => one !== id) : [...open, id]);
  const [newest] = rows;
  // Draws at least up to the request that the address names.
  const [drawn, setDrawn] = useState(() =>
    Math.max(PAGE, rows.findIndex(({ intent_id }) => open.includes(intent_id)) + 1),
  );
  const left = Math.max(0, rows.length - drawn);
  useKeys({ o: () => newest && toggle(newest.intent_id) });
  const kinds = [
    ['all', `All ${requests.length}`],
    ['model', `${run.provider === OFFLINE ? 'Rules' : 'Model'} ${models.length}`],
    ['tools', `Tools ${tools.length}`],
  ] as const;
  const head = (
    <>
      <span className="xs faint">newest first</span>
      <Seg className="push" label="Kind" value={shown} set={setShown} choices={kinds} />
    </>
  );
  return (
    <Card id="requests" title="Requests" head={head}>
      {rows.length === 0 && <p className="body sm dim">No requests yet.</p>}
      <ol className="rows reqs">
        {rows.slice(0, drawn).map((row) => (
          <Row
            key={row.intent_id}
            runId={run.id}
            row={row}
            isOpen={open.includes(row.intent_id)}
            toggle={() => toggle(row.intent_id)}
          />
        ))}
      </ol>
      {left > 0 && (
        <Button
          word={`Show ${Math.min(PAGE, left)} older of ${left}`}
          look="quiet"
          onClick={() => setDrawn(drawn + PAGE)}
        />
      )}
    </Card>
  );
}

/** The request to open, from an address such as `#r-ID`. */
const fromAddress = (): string[] => {
  const wanted = /^#r-(.+)$/.exec(location.hash)?.[1];
  return wanted ? [wanted] : [];
};

const words: Readonly<Record<string, string>> = { allow: 'Allowed', ask: 'Asked', deny: 'Denied' };

function decisionOf({ decision, reason, approved_by, answered_by: by }: RequestRow): string {
  const word = words[decision ?? ''] ?? '';
  const place = by && answeredWhere(by);
  // An answer such as "It happened" allows nothing.
  const did = approved_by ? 'allowed' : 'answered';
  const why = place ? (decision === 'ask' ? `${did} ${place}` : place) : (reason ?? '');
  return word && why ? `${word}: ${why}` : word || why;
}

interface RowProps {
  readonly runId: string;
  readonly row: RequestRow;
  readonly isOpen: boolean;
  readonly toggle: () => void;
}

function Row({ runId, row, isOpen, toggle }: RowProps) {
  const took = tookOf(row);
  return (
    <li id={`r-${row.intent_id}`}>
      <details open={isOpen}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary is a button */}
        <summary
          className="row rq"
          onClick={(event) => {
            event.preventDefault();
            toggle();
          }}
        >
          <Icon name="chev" className="twist" />
          <span className="num faint xs">{row.number}</span>
          <Mark status={row.status} />
          <span className="cut">
            <code>{row.name}</code>{' '}
            <span className="dim">
              {visible(modelName(row.model ?? row.target))}{' '}
              {row.subtask_id && `· ${row.subtask_id}`}
            </span>
          </span>
          <span className="xs faint cut dec">{decisionOf(row)}</span>
          <span className="num xs dim end">{money(row.cost_usd)}</span>
          <span className="num xs dim end">{took === null ? '' : duration(took)}</span>
        </summary>
        {isOpen && <RequestBody runId={runId} row={row} />}
      </details>
    </li>
  );
}
