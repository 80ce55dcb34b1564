/**
 * Yoga, the layout engine of Ink, without its top-level `await`, which a CommonJS bundle can't have. `yogaReady` must have resolved
 * before anything is drawn.
 */
import { loadYoga, type Yoga } from 'yoga-layout/load';

let yoga: Yoga | undefined;

export const yogaReady: Promise<void> = loadYoga().then((loaded) => {
  yoga = loaded;
});

export default new Proxy({} as Yoga, {
  get: (_target, name) => Reflect.get(yoga ?? {}, name),
});
