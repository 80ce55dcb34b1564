import { useQuery } from '@tanstack/react-query';
import { get } from './api.ts';
import type { Overview } from './api-documents.ts';

/** The overview of the server. The stream keeps it up to date. */
export const useOverview = () =>
  useQuery({ queryKey: ['overview'], queryFn: () => get<Overview>('/overview') });
