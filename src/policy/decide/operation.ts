import type { Operation } from '../../contract/permissions/operation.ts';

/** All that it asks or may reach. */
export const urlsOf = ({ url, network = NONE }: Pick<Operation, 'url' | 'network'>) =>
  url === undefined ? network : [url, ...network];

const NONE: readonly URL[] = [];
