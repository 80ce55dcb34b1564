/** `--budget-usd` for `budgetUsd`, as the parser of the command line names options. */
export const flagOf = (option: string): string =>
  `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
