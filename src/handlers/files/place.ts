import type { Filled } from '../instruction/form.ts';
import { wordLetter } from '../instruction/letters.ts';

/** How forms spell a folder: a path, or this folder. */
export const placeForm = `(?: (?:in|inside|under|of|from|at|within|below)(?: folder| directory)? (?:<folder:file>(?: folder| directory)?|(?<bareFolder>(?!(?:folder|directory|workspace|project|tree|repository|repo|here|this|current|total|all)\\b)(?:${wordLetter}|[.-])+)(?: folder| directory)?|(?:(?:this|current|whole|entire|working) )?(?:folder|directory|workspace|project|tree|repository|repo)|here)| here)?`;

/** How forms spell that the folders below count too. */
export const deepForm =
  '(?<deep>,? (?:recursively|(?:and|including|with) (?:all )?(?:of )?(?:its )?(?:subfolders|subdirectories|folders below it)|in all (?:subfolders|subdirectories)))?';

/** The folder of a filled form; `.` is the workspace. */
export const placeOf = (filled: Filled): string =>
  (filled.atom('folder')?.value ?? filled.word('bareFolder') ?? '.').replace(/(?<=.)\/+$/, '');

/** A folder's name for people. */
export const shownPlace = (path: string): string => (path === '.' ? 'the workspace' : path);
