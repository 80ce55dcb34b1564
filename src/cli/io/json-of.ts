/**
 * A row as `--json` prints it: `runId` is `run_id`, and an amount in micro-dollars such as `costMicroUsd` is in dollars,
 * `cost_usd`.
 */
export const jsonOf = (row: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      const isMicro = name.endsWith('MicroUsd');
      const key = name.replace('MicroUsd', 'Usd').replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`);
      return [key, isMicro && typeof value === 'number' ? value / 1e6 : value];
    }),
  );
