import { OFFLINE } from './format.ts';

/** The short name of a step: `s4` for `step_4`. */
export const stepName = (id: string): string => id.replace(/^step_/, 's');

/** The displayed name of a model. */
export const modelName = (model: string): string =>
  model === OFFLINE || model.startsWith(`${OFFLINE}/`) ? 'no model' : model;

/** The displayed name of a capsule, or `Capstan` for its own work. */
export const capsuleName = (id: string | null): string =>
  id === null || id === '' || id === 'coordinator' ? 'Capstan' : id;
