/** Parts that many forms use in their patterns. */
export const sharedParts = `
show = (list|show|find|get|display|name|print|give|see|view|extract|select|grab|collect|tell) [me] [all|every] [of]
ask = (<show>|what are [all]|what is|which are|[what|which])
howMany = (how many|number of)
count = (count [how many|number of|up]|<howMany>|tell me <howMany>|find [out] <howMany>|(determine|report|get|give [me]|show [me]) <howMany>) [all]
look = (<ask>|isCount:(<count>))
are = [are there|are|is|there are|exist|are left|left|do i have|do we have]
has = (contain|contains|containing|have|has|having|with|match|matches|matching|mention|mentions|mentioning|include|includes|including)
fold = (folder|directory)
holds = (does|do|has|have|are) [files|file] {files:file+} [have|has|got|contain|contains|hold|include|list|mention]
project = [this|current|whole|entire|working|source] (<fold>|workspace|project|tree|repo|repository|codebase|code|sources|files)
below = [deep:(recursively|[and|including|with] [all] [of] [its] (subfolders|subdirectories|folders below it)|in all (subfolders|subdirectories))]
place = [(in|inside|under|of|from|at|within|below|across) ([<fold>] {folder:file} [<fold>]|[all] <project>|here|[<fold>] {folder:name} [<fold>])|here] <below>
kind = [{kind:ending}|{kind:glob}]
earlier = earlier:(it|them|output|results?|page|text|response)
where = (in|of|from|inside|under|within|through|across|on) ([all|every|each] [of] [files?|<fold>] {files:file|glob+} [<fold>|files?]|[all|every|each] [of] <kind> (files?|code|scripts?) <place>|[all] <project>|<earlier>|[<fold>] {folder:name} [<fold>]) <below>
quoted = [isPattern:(pattern|regex|regular expression)|word|text|string|phrase|term] {needle:quote|code|pattern}
needle = (<quoted>|[word|text|string|phrase|term] {bare:word})
anyCase = [nocase:((ignoring|ignore|regardless of) [letter] case|case insensitive|case insensitively|case-insensitive|case-insensitively|in any case|capital or not|upper or lower case)]
testing = [that|which] [not:(do not|don't|does not|doesn't)] (<has>|line:(start|starts|starting|begin|begins|beginning|end|ends|ending) with) <needle> <anyCase>
newFile = [new] [text] [file] [called|named]
`;
