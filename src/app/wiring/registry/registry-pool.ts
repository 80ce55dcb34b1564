import type { Stores } from '../../../coordinator/store/create-stores.ts';
import { openRegistry, type RegistryOptions } from './open-registry.ts';

interface Entry {
  readonly opened: ReturnType<typeof openRegistry>;
  readonly listeners: Set<NonNullable<RegistryOptions['onProgress']>>;
  users: number;
}

/** Maximum number of unused registries that stay open: opening one reads every capsule and a model. */
const MAX_IDLE = 4;

/** Registries that runs of the same process share if their settings and project files are the same. */
export type RegistryPool = ReturnType<typeof createRegistryPool>;

export function createRegistryPool(stores: Pick<Stores, 'db' | 'redactor'>) {
  const entries = new Map<string, Entry>();
  const drop = async (key: string, { opened }: Entry) => {
    entries.delete(key);
    const taken = await opened.catch(() => undefined);
    await taken?.[Symbol.asyncDispose]();
  };
  const open = (key: string, options: RegistryOptions): Entry => {
    const listeners: Entry['listeners'] = new Set();
    const onProgress: RegistryOptions['onProgress'] = (...progress) => {
      for (const listener of listeners) listener(...progress);
    };
    const opened = openRegistry({ ...options, onProgress }, stores);
    const entry: Entry = { opened, listeners, users: 0 };
    opened.catch(() => entries.delete(key));
    return entry;
  };
  return {
    async take(options: RegistryOptions) {
      const key = keyOf(options);
      const entry = entries.get(key) ?? open(key, options);
      // Moved to the end: the entries at the front were used least recently.
      entries.delete(key);
      entries.set(key, entry);
      const { onProgress } = options;
      if (onProgress) entry.listeners.add(onProgress);
      entry.users += 1;
      const release = async () => {
        entry.users -= 1;
        if (onProgress) entry.listeners.delete(onProgress);
        const idle = [...entries].filter(([, { users }]) => users === 0);
        for (const [name, old] of idle.slice(0, -MAX_IDLE)) await drop(name, old);
      };
      return { registry: (await entry.opened).registry, close: release };
    },
    async close() {
      for (const [key, entry] of [...entries]) await drop(key, entry);
    },
  };
}

/** The inputs that a registry depends on. */
const keyOf = ({ settings, project }: RegistryOptions): string => {
  const { places, route, embedder, modelDir, network } = settings;
  return JSON.stringify([places, route, embedder, modelDir, network, project]);
};
