import type { AppContext } from '../app-context.ts';

/** `capstan.routing`: which capsule a task would go to, and corrections. */
// biome-ignore lint/suspicious/noEmptyInterface: filled command by command
export interface RoutingApi {}

export const routingApi = (_context: AppContext): RoutingApi => ({});
