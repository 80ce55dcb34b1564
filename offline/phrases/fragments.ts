/** Parts that many patterns share. */

export const show =
  '(list|show|find|get|display|name|print|give|see|view|extract|select|grab|collect|tell) [me] [all|every] [of]';

export const ask = `(${show}|what are [all]|what is|which are|[what|which])`;

export const count =
  '(count [how many|number of|up]|how many|what is number of|number of|tell me (how many|number of)|find [out] (how many|number of)|determine number of|report number of|get number of|give [me] number of|show [me] (how many|number of)) [all]';

export const has =
  '(contain|contains|containing|have|has|having|with|match|matches|matching|mention|mentions|mentioning|include|includes|including)';

const folder = '(folder|directory)';
const project = `[this|current|whole|entire|working|source] (${folder}|workspace|project|tree|repo|repository|codebase|code|sources|files)`;

/** A folder, or this one. */
export const place = `[(in|inside|under|of|from|at|within|below|across) ([${folder}] {folder:file} [${folder}]|[all] ${project}|here|[${folder}] {folder:name} [${folder}])|here]`;

/** Whether folders below are included. */
export const deep =
  '[deep:(recursively|[and|including|with] [all] [of] [its] (subfolders|subdirectories|folders below it)|in all (subfolders|subdirectories))]';

/** A kind of file: `csv`, `markdown`, `*.md`, `.md`. */
export const kind = '[{kind:ending}|{kind:glob}]';

/** The result of an earlier step. */
const earlier = 'earlier:(it|them|output|results?|page|text|response)';

/** Texts to read or search: files, files of a kind or folder, or the result of an earlier step. */
export const where = `(in|of|from|inside|under|within|through|across|on) ([all|every|each] [of] [files?|${folder}] {files:file|glob+} [${folder}|files?]|[all|every|each] [of] [{kind:ending}|{kind:glob}] files? ${place}|[all] ${project}|${earlier}|[${folder}] {folder:name} [${folder}]) ${deep}`;

/** A text to find: in quotes, in back-ticks, `/pattern/`, or one bare word. */
export const needle =
  '[isPattern:(pattern|regex|regular expression)|word|text|string|phrase|term] ({needle:quote|code|pattern}|{bare:word})';

/** The same without a bare word, which would be unclear. */
export const quotedNeedle =
  '[isPattern:(pattern|regex|regular expression)|word|text|string|phrase|term] {needle:quote|code|pattern}';

/** Whether letter case does not matter. */
export const anyCase =
  '[nocase:((ignoring|ignore|regardless of) [letter] case|case insensitive|case insensitively|case-insensitive|case-insensitively|in any case)]';

/** Which lines: those that contain a text, or start or end with it. */
export const test = `[that|which] [not:(do not|don't|does not|doesn't)] (${has}|line:(start|starts|starting|begin|begins|beginning|end|ends|ending) with) ${needle}`;

export const are = '[are there|are|is|there are|exist|are left|left]';
