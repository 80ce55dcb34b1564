import { toolWords } from '../../../app/reports/tool-words.ts';

/** The word for what a tool does: `file_io.edit` is `edit`. Default: `run`. */
export const verbOf = (tool: string): string => toolWords(tool)?.verb ?? 'run';

/** A model is asked. */
export const THINK = 'think';
