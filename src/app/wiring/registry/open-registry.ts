import type { Project, Settings } from '../../../config/settings.ts';
import type { Stores } from '../../../coordinator/store/create-stores.ts';
import { createRegistry } from '../../../registry/registry.ts';
import { toolbox } from '../../../tools/toolbox.ts';
import { openOwnEmbedder } from '../models/open-own-embedder.ts';
import { capsuleRoots, skillRoots } from './capsule-roots.ts';

export interface RegistryOptions {
  readonly settings: Settings;
  readonly project: Project;
  /** Called while texts are embedded or a model is downloaded. */
  readonly onProgress?: ((done: number, total: number, shown?: string) => void) | undefined;
}

/** The capsules of the settings' folders, and the embedder that finds them. */
export async function openRegistry(
  { settings, project, onProgress }: RegistryOptions,
  { db, redactor }: Pick<Stores, 'db' | 'redactor'>,
) {
  const { places, route } = settings;
  const embedder = await openOwnEmbedder(settings, {
    onProgress: ({ file, receivedBytes, totalBytes }) =>
      onProgress?.(receivedBytes, totalBytes ?? receivedBytes, `of ${file}`),
  });
  const registry = createRegistry({
    db,
    redactor,
    embedder,
    roots: capsuleRoots({ settings, project }),
    skillRoots: skillRoots(places, project),
    tools: [...toolbox.values()],
    thresholds: thresholdsOf(route),
    onProgress: onProgress && (({ done, total }) => onProgress(done, total)),
  });
  return { registry, [Symbol.asyncDispose]: () => embedder.close() };
}

const thresholdsOf = ({ take, create }: Settings['route']) => ({
  ...(take === undefined ? {} : { take }),
  ...(create === undefined ? {} : { create }),
});
