/** The variables that this process was started with. What runs beside it gets a list of its own, never these. */
export const processEnvironment = (): NodeJS.ProcessEnv => process.env;
