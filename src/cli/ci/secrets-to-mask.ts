/** Shorter values can't be told from other text. */
const MIN_CHARS = 16;

/** Values of the environment that are secrets by their name: what GitHub Actions should mask in all later output. */
export const secretsToMask = (environment: NodeJS.ProcessEnv): readonly string[] => [
  ...new Set(
    Object.entries(environment).flatMap(([name, value = '']) =>
      /(API_KEY|TOKEN|SECRET|PASSWORD)$/.test(name) && value.length >= MIN_CHARS ? [value] : [],
    ),
  ),
];
