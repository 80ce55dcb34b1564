/** The variables that this process was started with. What runs beside it gets a list of its own, never these. */
export const environment = (): NodeJS.ProcessEnv => process.env;
