/** Only a clock: Node's `performance` loads all of Node's measuring code. */
export const performance = { now: (): number => Number(process.hrtime.bigint()) / 1e6 };
