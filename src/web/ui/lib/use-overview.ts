import { useQuery } from '@tanstack/react-query';
import { get } from './api.ts';
import type { Overview } from './types.ts';

/** The state of Capstan; the stream keeps it current. */
export const useOverview = () =>
  useQuery({ queryKey: ['overview'], queryFn: () => get<Overview>('/overview') });
