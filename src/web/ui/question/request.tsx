import { useState } from 'react';
import type { Question } from '../../../contract/documents/question-documents.ts';
import { countsOf, withDiffsApart } from '../lib/text/diff-lines.ts';
import { visible } from '../lib/text/format.ts';
import { Icon } from '../parts/icon.tsx';
import { Seg } from '../parts/input/seg.tsx';
import { Code } from '../parts/text/code.tsx';
import { UnifiedDiff } from '../parts/text/diff.tsx';

/** The full request: changed files as a diff, everything else as text. */
export function Request({ question }: { question: Question }) {
  const { files, details } = question;
  const [isText, setText] = useState(false);
  if (files.length === 0 || isText) {
    return (
      <>
        {files.length > 0 && <Head path={files[0]?.path ?? ''} isText setText={setText} />}
        {details !== '' && <Details question={question} />}
      </>
    );
  }
  return files.map((file) => (
    <div key={file.path}>
      <Head path={file.path} isText={false} setText={setText} file={file} />
      <Change file={file} details={details} />
    </div>
  ));
}

function Change({ file: { path, from, diff }, details }: ChangeProps) {
  if (from !== undefined)
    return <Code text={`${from} → ${path}, content unchanged`} look="request" />;
  if (diff === null) return <Code text={details} look="request" />;
  return <UnifiedDiff diff={diff} label={`Difference of ${visible(path)}`} />;
}

interface ChangeProps {
  readonly file: Question['files'][number];
  readonly details: string;
}

/** The request as text. The differences in it of a capsule's files are shown as such. */
function Details({ question: { kind, details } }: { question: Question }) {
  const parts = kind === 'changed_capsule' ? withDiffsApart(details) : [details];
  return parts.map((part, index) => {
    const key = `${index}`;
    return part.startsWith('@@ ') ? (
      <UnifiedDiff key={key} diff={part} label={`Difference ${index}`} />
    ) : (
      <Code key={key} text={part} look="request" />
    );
  });
}

const views = [
  [false, 'Difference'],
  [true, 'Request'],
] as const;

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
      {file?.from !== undefined && <span className="tag">renamed</span>}
      {file?.diff && <Counts diff={file.diff} />}
      <Seg className="push" label="Shown as" value={isText} set={setText} choices={views} />
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
