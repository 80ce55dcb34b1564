import { useMemo } from 'react';
import type { ReplayDifference } from '../../../../../contract/documents/run-documents.ts';
import { fieldsText } from '../../../lib/text/fields-text.ts';
import { visible } from '../../../lib/text/format.ts';
import { Card } from '../../../parts/card.tsx';
import { Button } from '../../../parts/input/button.tsx';
import { Diff } from '../../../parts/text/diff.tsx';

interface ReplayDifferenceCardProps {
  readonly difference: ReplayDifference;
  readonly close: () => void;
}

/** Shows where a replay first differs from the record, field by field. */
export function ReplayDifferenceCard({ difference, close }: ReplayDifferenceCardProps) {
  const { where, recorded, now } = difference;
  const [before, after] = useMemo(() => [fieldsText(recorded), fieldsText(now)], [recorded, now]);
  const head = (
    <>
      <span className="xs faint">− recorded, + now</span>
      <Button word="Close" look="quiet push" onClick={close} />
    </>
  );
  return (
    <Card id="difference" title="The replay differs" className="compared" head={head}>
      <p className="body sm">First in {visible(where)}. The replay ended there.</p>
      <Diff before={before} after={after} label="First difference of the replay" />
    </Card>
  );
}
