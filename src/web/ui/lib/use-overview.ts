import { useQuery } from '@tanstack/react-query';
import { get } from './api.ts';
import type { Overview } from './api-documents.ts';

/** The state of Capstan; the stream keeps it current. */
export const useOverview = () =>
  useQuery({ queryKey: ['overview'], queryFn: () => get<Overview>('/overview') });
