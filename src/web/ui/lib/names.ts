import { OFFLINE } from './format.ts';

/** A step as people see it: `s4` for `step_4`. */
export const stepName = (id: string): string => id.replace(/^step_/, 's');

/** A model as people see it. */
export const modelName = (model: string): string =>
  model === OFFLINE || model.startsWith(`${OFFLINE}/`) ? 'no model' : model;

/** Who asks or works: a capsule, or Capstan itself. */
export const capsuleName = (id: string | null): string =>
  id === null || id === '' || id === 'coordinator' ? 'Capstan' : id;
