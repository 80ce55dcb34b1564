import type { SourceImport } from './source-imports.ts';

/** Lowest row first. A file may import its own folder and the rows below its own. */
export const rows: readonly (readonly string[])[] = [
  ['contract'],
  ['platform'],
  ['config', 'db', 'events'],
  ['runtime', 'llm', 'embeddings'],
  ['policy', 'tools', 'memory', 'hooks', 'telemetry'],
  ['broker', 'registry'],
  ['coordinator'],
  ['history'],
  ['authoring'],
  ['app'],
  ['cli', 'web'],
];

/** The folders inside `broker/`, and the files beside them, by the same rule. */
const brokerRows: readonly (readonly string[])[] = [
  ['agreed', 'audit', 'rules'],
  ['intent'],
  ['questions', 'changes'],
  ['money', 'recall'],
  ['calls'],
  ['answer.ts', 'explain-intent.ts'],
];

/** The SDK is loaded inside capsule processes. It is outside the rows: neither imports the other. */
const SDK = 'runtime/capsule';
/** The package of the rules that read English without a model, as imports below src/ name it. */
const RULES = '../offline';
/** Its only user below src/. */
const PLANNER = 'llm/offline';
const BROKER = 'broker';

const partOf = (path: string): string => path.split('/')[0] ?? '';
const rowOf = (path: string): number => rows.findIndex((row) => row.includes(partOf(path)));
const isInside = (path: string, folder: string) => path.startsWith(`${folder}/`);
const isFile = (to: string) => /\.tsx?$/.test(to);

const brokerPartOf = (path: string): string => path.split('/')[1] ?? '';
const brokerRowOf = (path: string): number =>
  brokerRows.findIndex((row) => row.includes(brokerPartOf(path)));

/** Whether the rows contain this file. */
export const hasLayer = (file: string): boolean => {
  if (isInside(file, BROKER)) return brokerRowOf(file) !== -1;
  return rowOf(file) !== -1;
};

function sdkMayImport({ to, kind }: SourceImport): boolean {
  return (
    isInside(to, SDK) || to.startsWith('node:') || (kind === 'type' && isInside(to, 'contract'))
  );
}

function brokerMayImport({ from, to }: SourceImport): boolean {
  return brokerPartOf(from) === brokerPartOf(to) || brokerRowOf(to) < brokerRowOf(from);
}

/** The command that starts the server loads it when it is called. */
const isServerStart = ({ from, to, kind }: SourceImport): boolean =>
  from === 'cli/commands/serve/serve.ts' && to === 'web/serve.ts' && kind === 'dynamic';

function mayImport(one: SourceImport): boolean {
  if (isServerStart(one)) return true;
  if (isInside(one.from, SDK)) return sdkMayImport(one);
  if (!isFile(one.to)) return true;
  if (isInside(one.to, RULES)) return isInside(one.from, PLANNER);
  if (isInside(one.from, BROKER) && isInside(one.to, BROKER)) return brokerMayImport(one);
  return partOf(one.from) === partOf(one.to) || rowOf(one.to) < rowOf(one.from);
}

/** The imports that the layers forbid, as `from → to`. */
export const forbiddenImports = (imports: readonly SourceImport[]): string[] =>
  imports.filter((one) => !mayImport(one)).map(({ from, to }) => `${from} → ${to}`);
