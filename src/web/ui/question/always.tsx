import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { PatternPreview, Question } from '../../../contract/documents/question-documents.ts';
import { spendCovered, spendLimit } from '../../../contract/text/spend-terms.ts';
import { get } from '../lib/server/api.ts';
import { query, visible } from '../lib/text/format.ts';
import { Button } from '../parts/input/button.tsx';
import type { Answering } from './use-answer.tsx';
import { Sending } from './use-answer.tsx';

interface AlwaysProps {
  readonly question: Question;
  readonly answer: 'approve' | 'deny';
  readonly answering: Answering;
  readonly note: string;
  readonly close: () => void;
}

/** Counts how many of the capsule's last requests a pattern would have matched. */
const usePreview = (id: string, pattern: string, answer: AlwaysProps['answer']) =>
  useQuery({
    enabled: pattern !== '',
    queryKey: ['pattern', id, pattern, answer],
    queryFn: () => get<PatternPreview>(`/approvals/${id}/preview${query({ pattern, answer })}`),
    placeholderData: (before) => before,
  }).data;

/** The form for a remembered answer: pattern, scope and expiry. */
export function Always({ question, answer, answering, note, close }: AlwaysProps) {
  const { always } = question;
  const isSpend = question.kind === 'spend';
  const [pattern, setPattern] = useState(always?.pattern ?? '');
  const preview = usePreview(question.id, pattern, answer);
  const element = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const field = element.current?.querySelector<HTMLElement>('input, select');
    field?.focus();
    if (field instanceof HTMLInputElement) field.select();
  }, []);
  const word = answer === 'approve' ? 'allow' : 'deny';
  const store = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const until = String(form.get('until'));
    const scope = String(form.get('scope')) as 'run' | 'capsule';
    answering.mutate({
      answer,
      ...(note.trim() === '' ? {} : { note: note.trim() }),
      remember: {
        scope,
        ...(pattern === '' ? {} : { pattern }),
        expires_at: scope === 'run' ? null : new Date(`${until}T23:59:59`).toISOString(),
      },
    });
  };
  return (
    <form ref={element} className="always" onSubmit={store} aria-label={`Always ${word}`}>
      <h3>
        {isSpend
          ? `Always ${word} ${visible(spendCovered(question.target, answer))}`
          : `${answer === 'approve' ? 'Allow' : 'Deny'} always: which requests, and until when?`}
      </h3>
      <div className="three">
        {!isSpend && (
          <label className="field">
            Pattern
            <input
              className="in mono"
              value={pattern}
              placeholder="exactly this request"
              onChange={(event) => setPattern(event.target.value)}
            />
          </label>
        )}
        <label className="field">
          Scope
          <select className="in" name="scope" defaultValue={always?.scopes.at(-1)}>
            {always?.scopes.map((scope) => (
              <option key={scope} value={scope}>
                {scope === 'run'
                  ? 'This run'
                  : `${isSpend ? 'Every run' : question.capsule_id} in this folder`}
              </option>
            ))}
          </select>
        </label>
        <label className="field">
          Until
          <input
            className="in num"
            name="until"
            type="date"
            min={new Date().toISOString().slice(0, 10)}
            defaultValue={always?.until.slice(0, 10)}
          />
        </label>
      </div>
      <p className="xs dim" role="status">
        {preview?.problem ??
          (preview
            ? `Would have matched ${preview.matched} of its last ${preview.of} requests. `
            : '')}
        {isSpend && answer === 'approve' && spendLimit(question.question)}
        {!isSpend && !preview?.problem && (
          <>
            <code>*</code> matches any name, <code>**</code> any folders.{' '}
            {answer === 'approve' && pattern.startsWith('argv:') && (
              <>
                In a command, <code>*</code> matches no option.{' '}
              </>
            )}
            The pattern is compared with the request, not with file contents. It expires when{' '}
            {question.capsule_id} changes.
          </>
        )}
      </p>
      <div className="actions left">
        <Button
          word={`Store and ${word}`}
          type="submit"
          disabled={answering.isPending || preview?.is_valid === false}
        />
        <Button word="Cancel" look="quiet" hotkey="Esc" onClick={close} />
        <Sending answering={answering} />
      </div>
    </form>
  );
}
