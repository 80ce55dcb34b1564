import { buildHandlers, buildSdk } from '../scripts/build.ts';

/** Bundles what capsule processes load, so that tests start real ones. */
export default async function setup(): Promise<void> {
  await Promise.all([buildSdk(), buildHandlers()]);
}
