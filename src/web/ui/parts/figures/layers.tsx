import type { PromptPreview } from '../../../../contract/documents/capsule-documents.ts';

interface LayersProps {
  readonly layers: PromptPreview['layers'];
  readonly tokens: number;
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

/** The layers of a prompt, each with its tokens and its text. */
export const Layers = ({ layers, tokens }: LayersProps) => (
  <>
    {layers.length > 0 && <Stack layers={layers} tokens={tokens} />}
    <ol className="rows layers">
      {layers.map((layer) => (
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
  </>
);

function Stack({ layers, tokens }: LayersProps) {
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
