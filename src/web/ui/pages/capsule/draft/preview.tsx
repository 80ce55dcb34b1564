import { Card } from '../../../parts/card.tsx';
import { Layers } from '../../../parts/layers.tsx';
import { Failure, Loading } from '../../../parts/states.tsx';
import type { usePreview } from './use-preview.ts';

/** The prompt by layers, with their token counts. */
export function Preview({ preview, savedTokens, error }: ReturnType<typeof usePreview>) {
  const isInvalid = preview?.layers.length === 0;
  const change =
    preview && savedTokens !== undefined && !isInvalid ? preview.tokens - savedTokens : 0;
  const head = preview && !isInvalid && (
    <span className="push xs num dim">
      {preview.tokens.toLocaleString('en')} tokens{' '}
      {change !== 0 && (
        <span className={change > 0 ? 'plus' : 'minus'}>{change > 0 ? `+${change}` : change}</span>
      )}
    </span>
  );
  return (
    <Card title="Prompt" head={head}>
      {error && <Failure error={error} />}
      {!preview && !error && <Loading />}
      {isInvalid && <p className="body sm dim">Fix the errors in the overlay to see the prompt.</p>}
      {preview && <Layers layers={preview.layers} tokens={preview.tokens} />}
    </Card>
  );
}
