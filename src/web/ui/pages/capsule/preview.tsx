import type { PromptPreview } from '../../lib/capsule-documents.ts';
import { Card } from '../../parts/card.tsx';
import { Failure, Loading } from '../../parts/states.tsx';

interface PreviewProps {
  readonly preview: PromptPreview | undefined;
  readonly savedTokens: number | undefined;
  readonly error: unknown;
}

const colours: Readonly<Record<string, string>> = {
  identity: 'l1',
  skill: 'l2',
  overlay: 'l3',
  memory: 'l4',
  tools: 'l4',
  task: 'l5',
};

const WIDTH = 400;

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
      {preview && !isBroken && <Stack preview={preview} />}
      <ol className="rows layers">
        {preview?.layers.map((layer) => (
          <li key={`${layer.kind} ${layer.id}`}>
            <details open={layer.kind === 'overlay'}>
              <summary>
                <span className={`sw ${colours[layer.kind] ?? 'l1'}`} />
                {layer.kind[0]?.toUpperCase()}
                {layer.kind.slice(1)}
                <span className="xs faint cut">{layer.id}</span>
                <span className="num xs push">{layer.tokens.toLocaleString('en')}</span>
              </summary>
              <pre className="told" tabIndex={0}>
                {layer.text}
              </pre>
            </details>
          </li>
        ))}
      </ol>
    </Card>
  );
}

function Stack({ preview: { layers, tokens } }: { preview: PromptPreview }) {
  let x = 0;
  const label = layers.map((one) => `${one.kind} ${one.tokens}`).join(', ');
  return (
    <svg
      className="stack"
      viewBox={`0 0 ${WIDTH} 8`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`Tokens by layer: ${label}`}
    >
      {layers.map((layer) => {
        const width = (layer.tokens / Math.max(1, tokens)) * WIDTH;
        const from = x;
        x += width;
        return (
          <rect
            key={`${layer.kind} ${layer.id}`}
            className={colours[layer.kind] ?? 'l1'}
            x={from}
            width={Math.max(0, width - 1)}
            height="8"
          />
        );
      })}
    </svg>
  );
}
