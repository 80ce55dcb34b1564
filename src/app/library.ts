// biome-ignore-all lint/performance/noBarrelFile: this file is the public interface of the package.
export type { Approval } from '../contract/approval.ts';
export { AppError, type ErrorCode } from '../contract/errors.ts';
export type { CapstanEvent } from '../contract/event.ts';
export { type Capstan, openCapstan } from './open-capstan.ts';
export type { OpenOptions } from './open-options.ts';
