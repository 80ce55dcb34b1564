import { buildAll } from '../scripts/build.ts';

/** Bundles everything that tests start as a process, so that they start what the sources say now. */
export default buildAll;
