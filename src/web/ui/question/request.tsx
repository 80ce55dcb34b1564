import { useState } from 'react';
import type { Question } from '../lib/api-documents.ts';
import { countsOf } from '../lib/diff-lines.ts';
import { visible } from '../lib/visible.ts';
import { UnifiedDiff } from '../parts/diff.tsx';
import { Icon } from '../parts/icon.tsx';

/** The full request: changed files as a diff, everything else as text. */
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
      {file.diff === null ? (
        <pre className="code request">{visible(details)}</pre>
      ) : (
        <UnifiedDiff diff={file.diff} label={`Difference of ${visible(file.path)}`} />
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
      {file?.diff && <Counts diff={file.diff} />}
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

/** Counts of added and removed lines: `+3 −2` */
export function Counts({ diff }: { diff: string }) {
  const { added, removed } = countsOf(diff);
  return (
    <span className="num xs">
      <span className="plus">+{added}</span> <span className="minus">−{removed}</span>
    </span>
  );
}
