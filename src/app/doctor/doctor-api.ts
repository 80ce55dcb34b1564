import type { AppContext } from '../app-context.ts';

/** `capstan.doctor`: whether this machine has what Capstan needs. */
// biome-ignore lint/suspicious/noEmptyInterface: filled command by command
export interface DoctorApi {}

export const doctorApi = (_context: AppContext): DoctorApi => ({});
