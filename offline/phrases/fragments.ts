/** Parts that many patterns share. */

export const show =
  '(list|show|find|get|display|name|print|give|see|view|extract|select|grab|collect|tell) [me] [all|every] [of]';

export const ask = `(${show}|what are [all]|what is|which are|[what|which])`;

export const count =
  '(count [how many|number of|up]|how many|what is number of|number of|tell me (how many|number of)|find [out] (how many|number of)|determine number of|report number of|get number of|give [me] number of|show [me] (how many|number of)) [all]';

export const has =
  '(contain|contains|containing|have|has|having|with|match|matches|matching|mention|mentions|mentioning|include|includes|including)';

/** A folder, or this one. */
export const place =
  '[(in|inside|under|of|from|at|within|below|across) ([folder|directory] {folder:file} [folder|directory]|[all] [this|current|whole|entire|working|source] (folder|directory|workspace|project|tree|repository|repo|codebase|code|files)|here|[folder|directory] {folder:name} [folder|directory])|here]';

/** Whether folders below are included. */
export const deep =
  '[deep:(recursively|[and|including|with] [all] [of] [its] (subfolders|subdirectories|folders below it)|in all (subfolders|subdirectories))]';

/** A kind of file: `csv`, `markdown`, `*.md`, `.md`. */
export const kind = '[{kind:ending}|{kind:glob}]';

/** A text to find: in quotes, in back-ticks, `/pattern/`, or one bare word. */
export const needle =
  '[isPattern:(pattern|regex|regular expression)|word|text|string|phrase|term] ({needle:quote|code|pattern}|{bare:word})';

/** The same without a bare word, which would be unclear. */
export const quotedNeedle =
  '[isPattern:(pattern|regex|regular expression)|word|text|string|phrase|term] {needle:quote|code|pattern}';

/** Whether letter case does not matter. */
export const anyCase =
  '[nocase:((ignoring|ignore|regardless of) [letter] case|case insensitive|case insensitively|case-insensitive|case-insensitively|in any case)]';

/** The end of a line at which a text is found. */
export const edge = 'line:(start|starts|starting|begin|begins|beginning|end|ends|ending) with';

export const negation = "[not:(do not|don't|does not|doesn't)]";

/** The result of an earlier step. */
export const earlier = '(it|them|output|results?|page|text|response)';
