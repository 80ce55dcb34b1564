import type { PromptPreview } from '../../../lib/capsule-documents.ts';
import { Card } from '../../../parts/card.tsx';
import { Layers } from '../../../parts/layers.tsx';
import { Failure, Loading } from '../../../parts/states.tsx';

interface PreviewProps {
  readonly preview: PromptPreview | undefined;
  readonly savedTokens: number | undefined;
  readonly error: unknown;
}

/** The prompt by layers, with their tokens. */
export function Preview({ preview, savedTokens, error }: PreviewProps) {
  const isBroken = preview?.layers.length === 0;
  const change =
    preview && savedTokens !== undefined && !isBroken ? preview.tokens - savedTokens : 0;
  const head = preview && !isBroken && (
    <span className="push xs num dim">
      {preview.tokens.toLocaleString('en')} tokens{' '}
      {change !== 0 && (
        <span className={change > 0 ? 'plus' : 'minus'}>{change > 0 ? `+${change}` : change}</span>
      )}
    </span>
  );
  return (
    <Card title="What the model is told" head={head}>
      {error !== null && error !== undefined && <Failure error={error} />}
      {!preview && !error && <Loading />}
      {isBroken && (
        <p className="body sm dim">The prompt is shown once the overlay has no error.</p>
      )}
      {preview && <Layers layers={preview.layers} tokens={preview.tokens} />}
    </Card>
  );
}
