import { useQuery } from '@tanstack/react-query';
import type { Overview } from '../../../contract/documents/state-documents.ts';
import { get } from './api.ts';

/** The overview of the server. The stream keeps it up to date. */
export const useOverview = () =>
  useQuery({ queryKey: ['overview'], queryFn: () => get<Overview>('/overview') });
