import { extractSummaries } from '../../offline/summary/extract-summary.ts';

export const handlers = { extract_summary: extractSummaries };
