import { type FormEvent, useId, useRef } from 'react';
import type { RunPage } from '../../../../../contract/documents/run-documents.ts';
import { MAX_TASK_CHARS } from '../../../../../contract/limits.ts';
import { post } from '../../../lib/server/api.ts';
import { useConnection } from '../../../lib/server/live.ts';
import { useAction } from '../../../lib/server/use-document.ts';
import { OFFLINE } from '../../../lib/text/format.ts';
import { submitOnEnter } from '../../../lib/use-keys.ts';
import { Icon } from '../../../parts/icon.tsx';
import { Refusal } from '../../../parts/states.tsx';
import { useStart } from '../../home/use-start.ts';

interface SayProps {
  readonly run: RunPage['run'];
}

const isEnded = (status: string) =>
  status === 'completed' || status === 'failed' || status === 'cancelled';

/** The field below a conversation: a message to the run or, once it has ended, the next task of its session. */
export function Say({ run }: SayProps) {
  if (isEnded(run.status)) return <FollowUp run={run} />;
  // Without a model, nothing reads messages.
  return run.provider === OFFLINE ? null : <Message run={run} />;
}

/** Sends a message to the run. */
function Message({ run: { id, status } }: SayProps) {
  const send = useAction(
    (text: string) => post<{ not_continued: RunPage['error'] }>(`/runs/${id}/messages`, { text }),
    ['run', id],
  );
  const kept = send.data?.not_continued;
  return (
    <Field
      label="Message to this run"
      word="Send message"
      hint={`Add something for this run. It is read ${status === 'parked' ? 'once the run continues' : 'before the next model call'}.`}
      send={send}
      problem={
        kept
          ? `The message was saved, but the run stays parked: ${kept.message}`
          : send.error?.message
      }
    />
  );
}

/** Starts the next run of the session. */
function FollowUp({ run: { session_id: session, workspace } }: SayProps) {
  const start = useStart();
  return (
    <Field
      label="Next task of this conversation"
      word="Run"
      hint="What comes next? A new run starts, which knows this conversation."
      send={{ ...start, mutate: (task) => start.mutate({ task, session, workspace }) }}
      problem={start.error?.message}
    />
  );
}

interface FieldProps {
  readonly label: string;
  /** Of the button. */
  readonly word: string;
  readonly hint: string;
  readonly send: {
    readonly isPending: boolean;
    readonly mutate: (text: string, options?: { readonly onSuccess: () => void }) => void;
  };
  readonly problem: string | undefined;
}

function Field({ label, word, hint, send, problem }: FieldProps) {
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const { isConnected } = useConnection();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get('text')).trim();
    if (text !== '') send.mutate(text, { onSuccess: () => form.current?.reset() });
  };
  return (
    <>
      <form ref={form} className="say" onSubmit={submit} onKeyDown={submitOnEnter}>
        <label className="vh" htmlFor={id}>
          {label}
        </label>
        <textarea
          className="in"
          id={id}
          name="text"
          rows={2}
          maxLength={MAX_TASK_CHARS}
          placeholder={hint}
        />
        <button
          type="submit"
          className="btn icon main"
          aria-label={word}
          disabled={send.isPending || !isConnected}
        >
          <Icon name="send" />
        </button>
      </form>
      <Refusal error={problem} />
    </>
  );
}
