import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useSearch } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import type { Overview } from '../../../../contract/documents/state-documents.ts';
import { MAX_TASK_CHARS } from '../../../../contract/limits.ts';
import { useConnection } from '../../lib/server/live.ts';
import { useDocument, useOverview } from '../../lib/server/use-document.ts';
import { folderName, OFFLINE, visible } from '../../lib/text/format.ts';
import { submitOnEnter } from '../../lib/use-keys.ts';
import { Button } from '../../parts/input/button.tsx';
import { Seg } from '../../parts/input/seg.tsx';
import { Refusal } from '../../parts/states.tsx';
import { RunOptions } from './run-options.tsx';
import { useStart } from './use-start.ts';

/** What *Run again* of a run fills in, as the state of the address. */
export interface FilledIn {
  readonly task: string;
  readonly workspace: string;
  /** '': chosen for each step. */
  readonly capsule: string;
}

/** The newest session, to continue. */
const useNewestSession = () =>
  useDocument<{ sessions: readonly { id: string; title: string; workspace: string }[] }>(
    ['sessions', 1],
    '/sessions?limit=1',
  ).data?.sessions[0];

/** The body of POST /runs. */
function bodyOf(form: FormData, session: string | undefined) {
  const text = (name: string) => String(form.get(name) ?? '').trim();
  const hint = text('hint');
  return {
    task: text('task'),
    workspace: text('workspace'),
    ...(session ? { session } : {}),
    ...(text('capsule') ? { capsule: text('capsule') } : {}),
    ...(hint === OFFLINE ? { provider: OFFLINE } : {}),
    ...(hint && hint !== OFFLINE ? { hint } : {}),
    ...(text('budget') ? { budget_usd: Number(text('budget').replace('$', '')) } : {}),
    ...(form.has('plan_first') ? { plan_first: true } : {}),
  };
}

/** Starts a run, or continues a conversation. */
export function Compose() {
  const isWanted = useSearch().includes('new');
  const filledIn = useHistoryState<FilledIn | null>();
  const { data: overview, error: overviewError } = useOverview();
  const newest = useNewestSession();
  const [isContinued, setContinued] = useState(false);
  /** Whether the form was submitted before the workspaces and capsules were loaded. It is sent once they are. */
  const [isEarly, setEarly] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const { isConnected } = useConnection();
  useEffect(() => {
    if (isWanted) field.current?.focus();
  }, [isWanted]);
  const start = useStart();
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const body = bodyOf(new FormData(event.currentTarget), isContinued ? newest?.id : undefined);
    // `required` accepts spaces.
    if (body.task === '') field.current?.focus();
    else if (!overview && (filledIn || body.workspace === '')) setEarly(true);
    else start.mutate(body);
  };
  useEffect(() => {
    if (!isEarly || !overview) return;
    setEarly(false);
    field.current?.form?.requestSubmit();
  }, [isEarly, overview]);
  const workspace = isContinued
    ? newest?.workspace
    : (filledIn?.workspace ?? overview?.workspaces[0]);
  const formKey = `${isContinued} ${filledIn?.workspace}`;
  const continued = newest ? ([[true, `Continue “${visible(newest.title)}”`]] as const) : [];
  return (
    <form
      className="card compose"
      onSubmit={send}
      onKeyDown={submitOnEnter}
      onChange={() => start.isError && start.reset()}
    >
      <Seg
        label="Where the task goes"
        value={isContinued}
        set={setContinued}
        choices={[[false, 'New task'], ...continued]}
      />
      <label className="vh" htmlFor="task">
        Task
      </label>
      <textarea
        ref={field}
        className="in"
        id="task"
        name="task"
        rows={3}
        maxLength={MAX_TASK_CHARS}
        required
        defaultValue={filledIn?.task}
        placeholder="What should be done? Files and hosts that you name can be read; you are asked before your files change."
      />
      <div className="opts">
        <Workspace key={formKey} path={workspace} overview={overview} />
        <RunOptions
          capsules={overview?.capsules ?? []}
          models={overview?.models ?? null}
          capsule={filledIn?.capsule ?? ''}
        />
        <label className="check">
          <input type="checkbox" name="plan_first" /> Show me the plan first
        </label>
        <Button
          word={start.isPending ? 'Starting' : isEarly ? 'Loading folders' : 'Run'}
          look="main"
          hotkey="Ctrl ↵"
          type="submit"
          disabled={start.isPending || isEarly || !isConnected}
        />
      </div>
      <Uses overview={overview} />
      <Refusal error={start.error ?? (isEarly && overviewError)} />
    </form>
  );
}

interface WorkspaceProps {
  /** The path that is filled in. */
  readonly path: string | undefined;
  readonly overview: Overview | undefined;
}

/** The folder of the task. What a person typed stays, also if the known folders arrive later. */
function Workspace({ path, overview }: WorkspaceProps) {
  const [typed, setTyped] = useState<string>();
  return (
    <label className="field place">
      Workspace
      <input
        className="in"
        name="workspace"
        list="workspaces"
        value={typed ?? path ?? ''}
        onChange={({ target }) => setTyped(target.value)}
        required={overview !== undefined}
      />
      <datalist id="workspaces">
        {overview?.workspaces.map((one) => (
          <option key={one} value={one} label={folderName(one)} />
        ))}
      </datalist>
    </label>
  );
}

/** The model that the task uses, or what works without one. An empty line reserves its space while it loads. */
const Uses = ({ overview }: { readonly overview: Overview | undefined }) => (
  <p className="sm dim">
    {overview === undefined ? (
      '\u00a0'
    ) : overview.models === null ? (
      <>
        No model: only explicit instructions work. <code>capstan setup</code> in a terminal adds
        one.
      </>
    ) : (
      `Uses ${overview.models.balanced} of ${overview.provider}.`
    )}
  </p>
);
