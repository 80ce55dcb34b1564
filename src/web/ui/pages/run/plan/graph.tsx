import dagre from '@dagrejs/dagre';
import { useMemo } from 'react';
import type { Step } from '../../../../../contract/documents/run-documents.ts';
import { visible } from '../../../lib/text/format.ts';
import { lookOf } from '../../../parts/status.tsx';

const WIDTH = 116;
const HEIGHT = 80;
/** Space between the edge of a node and its text. */
const PAD = 10;
/** More than two lines can hold. */
const MAX_CHARS = 80;

type Point = { readonly x: number; readonly y: number };

/** Computes the position of each step. Takes about 100 ms for 60 steps, so it runs only when the plan changes. */
function layoutOf(steps: readonly Pick<Step, 'id' | 'depends_on'>[]) {
  const graph = new dagre.graphlib.Graph()
    .setGraph({ rankdir: 'LR', nodesep: 24, ranksep: 26 })
    .setDefaultEdgeLabel(() => ({}));
  for (const { id } of steps) graph.setNode(id, { width: WIDTH, height: HEIGHT });
  const pairs = steps.flatMap(({ id, depends_on: needs }) =>
    needs.filter((need) => steps.some((one) => one.id === need)).map((need) => [need, id] as const),
  );
  for (const [from, to] of pairs) graph.setEdge(from, to);
  dagre.layout(graph);
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  const at = new Map(steps.map(({ id }) => [id, graph.node(id) as Point]));
  return { width, height, pairs, at };
}

function place(steps: readonly Step[], { pairs, at }: ReturnType<typeof layoutOf>) {
  const pointOf = (id: string): Point => at.get(id) ?? { x: 0, y: 0 };
  const path = criticalPath(steps, Date.now());
  const isCritical = (from: string, to: string) =>
    path[path.indexOf(from) + 1] === to && path.includes(from);
  return {
    nodes: steps.map((step) => {
      const { x, y } = pointOf(step.id);
      return { step, x: x - WIDTH / 2, y: y - HEIGHT / 2 };
    }),
    edges: pairs.map(([from, to]) => {
      const [start, end] = [pointOf(from), pointOf(to)];
      const [x1, x2] = [start.x + WIDTH / 2, end.x - WIDTH / 2 - 5];
      const middle = (x1 + x2) / 2;
      return {
        key: `${from} ${to}`,
        path: `M${x1} ${start.y}C${middle} ${start.y} ${middle} ${end.y} ${x2} ${end.y}`,
        isCritical: isCritical(from, to),
      };
    }),
  };
}

/** Draws the plan as a graph from left to right. Each step links to its row in the timeline. */
export default function Graph({ steps }: { steps: readonly Step[] }) {
  const shape = JSON.stringify(steps.map(({ id, depends_on }) => ({ id, depends_on })));
  const layout = useMemo(() => layoutOf(JSON.parse(shape)), [shape]);
  const { width, height } = layout;
  const { nodes, edges } = place(steps, layout);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a drawing of links
    <svg
      className="graph"
      viewBox={`0 0 ${width} ${height}`}
      style={{ maxWidth: `${width / 16}rem` }}
      role="group"
      aria-label={`Plan of ${steps.length} steps`}
    >
      <marker
        id="tip"
        viewBox="0 0 6 6"
        refX=".5"
        refY="3"
        markerWidth="7"
        markerHeight="7"
        markerUnits="userSpaceOnUse"
        orient="auto"
      >
        <path className="tip" d="M0 .5 6 3 0 5.500z" />
      </marker>
      {edges.map(({ key, path, isCritical }) => (
        <path
          key={key}
          className={isCritical ? 'edge crit' : 'edge'}
          markerEnd="url(#tip)"
          d={path}
        />
      ))}
      {nodes.map(({ step, x, y }) => (
        <Node key={step.id} step={step} x={x} y={y} />
      ))}
    </svg>
  );
}

function Node({ step, x, y }: { step: Step; x: number; y: number }) {
  const { shape, tone, word } = lookOf(step.status);
  const kind = tone === '' ? 'pending' : tone;
  return (
    <a href={`#lane-${step.id}`} className={`node n-${kind}`}>
      <rect x={x + 0.5} y={y + 0.5} width={WIDTH - 1} height={HEIGHT - 1} rx="8" />
      <use
        href={`#${shape}`}
        x={x + PAD}
        y={y + 11}
        width="12"
        height="12"
        className={tone}
        role="img"
        aria-label={word}
      />
      <foreignObject x={x + PAD} y={y + 8} width={WIDTH - 2 * PAD} height={HEIGHT - 14}>
        <p className="node-text">
          <span className="nid cut">{step.id}</span>
          <span className="nid cut">{step.capsule_id ?? ''}</span>
          <span className="clamped">{visible(step.description.slice(0, MAX_CHARS))}</span>
        </p>
      </foreignObject>
    </a>
  );
}

/** The duration of a step so far, in milliseconds. A step that has not started counts as 1. */
function lengthOf({ started_at: from, ended_at: to }: Step, now: number): number {
  if (from === null) return 1;
  return Math.max(1, (to === null ? now : Date.parse(to)) - Date.parse(from));
}

/** The ids of the steps on the critical path, in order. `steps` must list each step after its dependencies. */
export function criticalPath(steps: readonly Step[], now: number): string[] {
  const best = new Map<string, { readonly ms: number; readonly path: readonly string[] }>();
  for (const step of steps) {
    const before = step.depends_on
      .flatMap((id) => best.get(id) ?? [])
      .toSorted((a, b) => b.ms - a.ms)[0];
    best.set(step.id, {
      ms: (before?.ms ?? 0) + lengthOf(step, now),
      path: [...(before?.path ?? []), step.id],
    });
  }
  return [...([...best.values()].toSorted((a, b) => b.ms - a.ms)[0]?.path ?? [])];
}
