/** A clock alone: Node's `performance` loads all that Node can measure. */
export const performance = { now: (): number => Number(process.hrtime.bigint()) / 1e6 };
