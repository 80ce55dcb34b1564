import { buildAll, buildChildren, buildHandlers, buildSdk } from '../scripts/build.ts';

/**
 * Bundles everything that tests start as a process, so that they start what the sources say now. Where the command
 * line does not bundle, the rest is tested all the same.
 */
export default async function setup(): Promise<void> {
  await buildAll().catch((error) => {
    console.warn(`dist/main.cjs is out of date: ${error}`);
    return Promise.allSettled([buildSdk(), buildHandlers(), buildChildren()]);
  });
}
