/** The environment variables of this process. Child processes get separate variables, never these. */
export const processEnvironment = (): NodeJS.ProcessEnv => process.env;
