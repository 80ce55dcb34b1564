import { diffLines } from 'diff';
import { useState } from 'react';
import type { Question } from '../lib/types.ts';
import { visible } from '../lib/visible.ts';
import { Diff } from '../parts/diff.tsx';
import { Icon } from '../parts/icon.tsx';

/** The whole request: changed files as a difference, everything else as text. */
export function Request({ question }: { question: Question }) {
  const { files, details } = question;
  const [isText, setText] = useState(false);
  if (files.length === 0 || isText) {
    return (
      <>
        {files.length > 0 && <Head path={files[0]?.path ?? ''} isText setText={setText} />}
        {details !== '' && <pre className="code request">{visible(details)}</pre>}
      </>
    );
  }
  return files.map((file) => (
    <div key={file.path}>
      <Head path={file.path} isText={false} setText={setText} file={file} />
      {file.note && <p className="body sm dim">{visible(file.note)}</p>}
      {!file.note && (
        <Diff
          before={file.before ?? ''}
          after={file.after ?? ''}
          label={`Difference of ${visible(file.path)}`}
        />
      )}
    </div>
  ));
}

interface HeadProps {
  readonly path: string;
  readonly isText: boolean;
  readonly setText: (isText: boolean) => void;
  readonly file?: Question['files'][number];
}

function Head({ path, isText, setText, file }: HeadProps) {
  return (
    <div className="file">
      <Icon name="file" />
      <code className="cut">{visible(path)}</code>
      {file && !file.note && <Counts before={file.before ?? ''} after={file.after ?? ''} />}
      {/* biome-ignore lint/a11y/useSemanticElements: buttons, not fields */}
      <span className="push seg" role="group" aria-label="Shown as">
        <button type="button" aria-pressed={!isText} onClick={() => setText(false)}>
          Difference
        </button>
        <button type="button" aria-pressed={isText} onClick={() => setText(true)}>
          Request
        </button>
      </span>
    </div>
  );
}

/** `+3 −2` */
export function Counts({ before, after }: { before: string; after: string }) {
  const parts = diffLines(before, after);
  const sum = (of: 'added' | 'removed') =>
    parts.filter((part) => part[of]).reduce((total, { count }) => total + (count ?? 0), 0);
  return (
    <span className="num xs">
      <span className="plus">+{sum('added')}</span> <span className="minus">−{sum('removed')}</span>
    </span>
  );
}
